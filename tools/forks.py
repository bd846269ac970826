"""Kernels that begin with what chapters import: forked from one process that has imported it, where a system can.

Every chapter would spend three seconds of processor time on importing the same, as much as many of them compute. A
kernel manager starts this file, which asks the process with the imports for a fork, and ends when its kernel has ended.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

#: What most chapters import, or what they import does when it is first used; nothing of it draws or starts a thread.
IMPORTED = (
    "ipykernel.ipkernel", "ipykernel.kernelapp", "matplotlib.backends.backend_svg", "matplotlib.figure",
    "matplotlib_inline.backend_inline", "numpy", "pandas", "scipy.integrate", "scipy.stats", "sklearn.linear_model",
    "livefig", "ldp_book.chapter", "ldp_book.datasets", "ldp_core.audit", "ldp_core.central", "ldp_core.frequency",
    "ldp_core.learn",
)  # fmt: skip


@contextmanager
def forking(environment: Mapping[str, str]) -> Iterator[list[str] | None]:
    """Give the command of a kernel that is forked, for a kernel manager; None where that is not safe (macOS).

    The imports find the environment besides this process's own; a kernel finds what its manager gives it.
    """
    if sys.platform != "linux":
        yield None
        return
    with tempfile.TemporaryDirectory() as folder:
        address = str(Path(folder) / "forks")
        with socket.socket(socket.AF_UNIX) as listener:  # the server's alone: who asks when it is gone is told
            listener.bind(address)
            listener.listen()
            command, number = [sys.executable, str(Path(__file__)), "serve"], listener.fileno()
            server = subprocess.Popen(
                [*command, str(number)], env={**os.environ, **environment}, pass_fds=[number], stdin=subprocess.PIPE,
                start_new_session=True,
            )  # fmt: skip
        with server:  # its input is closed in the end
            yield [sys.executable, "-S", str(Path(__file__)), "ask", address, "-f", "{connection_file}"]


def ask(address: str, arguments: list[str]) -> None:
    """Have a kernel forked with the arguments, this place and this environment, and wait for its end."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a manager interrupts a kernel before it ends it
    with socket.socket(socket.AF_UNIX) as kernel:
        kernel.connect(address)
        kernel.sendall(json.dumps([arguments, str(Path.cwd()), dict(os.environ)]).encode() + b"\n")
        while kernel.recv(1):
            pass


def serve(number: int) -> None:
    """Import, then fork a kernel for each who asks at the listening socket of this number."""
    del sys.path[0]  # this file's folder: a kernel does not look there
    os.environ.setdefault("MPLBACKEND", "module://matplotlib_inline.backend_inline")  # as a kernel does at its start
    for name in IMPORTED:
        importlib.import_module(name)
    gc.freeze()  # what is imported stays: no kernel looks for garbage there
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for a kernel here: the system clears it away
    listener = socket.socket(fileno=number)
    while sys.stdin not in select.select([listener, sys.stdin], [], [])[0]:  # closed: nobody will ask any more
        asked, _ = listener.accept()
        if os.fork():
            asked.close()
            continue
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        listener.close()
        sys.stdin.close()
        os.setsid()
        arguments, folder, environment = json.loads(asked.makefile().readline())
        os.chdir(folder)
        os.environ.clear()
        os.environ.update(environment)
        from ipykernel import kernelapp

        arguments.append(f"--IPKernelApp.parent_handle={os.getppid()}")  # it ends when this process is gone
        kernelapp.launch_new_instance(argv=arguments)  # `asked` is closed by the system when this process has ended
        return


if __name__ == "__main__":
    if sys.argv[1] == "serve":
        serve(int(sys.argv[2]))
    else:
        ask(sys.argv[2], sys.argv[3:])
