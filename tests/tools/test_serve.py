"""The book is served to this machine, and to others only if that is asked for by name."""

import functools
import socket
import struct
import subprocess
import sys
import threading
from http.client import HTTPConnection
from http.server import HTTPServer

import pytest

from tools import serve
from tools.toc import ROOT


@pytest.fixture
def site(tmp_path):
    (tmp_path / "index.html").write_text("<title>ε</title>", encoding="utf-8")
    return tmp_path


@pytest.fixture
def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def test_by_default_it_listens_on_this_machine_only(site, free_port):
    with serve.open_server(site, free_port) as server:
        assert server.server_address[0] == "127.0.0.1"


def test_a_page_comes_fresh_and_nothing_outside_the_folder_comes_at_all(site, free_port):
    with serve.open_server(site, free_port, "0.0.0.0") as server:
        assert server.server_address[0] == "0.0.0.0"
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            link = HTTPConnection("127.0.0.1", server.server_address[1])
            link.request("GET", "/")
            answer = link.getresponse()
            assert answer.status == 200
            assert answer.read().decode() == "<title>ε</title>"
            assert answer.headers["Cache-Control"] == "no-cache"
            link.request("GET", "/../" * 8 + "etc/passwd")
            assert link.getresponse().status == 404
            link.close()
        finally:
            server.shutdown()
            thread.join()


@pytest.mark.parametrize(("path", "status"), [("/x%00y", 400), ("/%ed%a0%80", 400), ("/" + 5_000 * "x", 404)])
def test_a_path_that_no_file_can_have_is_answered(site, free_port, path, status):
    with serve.open_server(site, free_port) as server:
        threading.Thread(target=server.handle_request).start()
        connection = HTTPConnection("127.0.0.1", server.server_address[1])
        connection.request("GET", path)
        assert connection.getresponse().status == status
        connection.close()


def test_a_reader_who_leaves_before_a_file_has_come_is_no_failure(site, free_port, capsys):
    (site / "large.bin").write_bytes(bytes(30_000_000))
    with serve.open_server(site, free_port) as server:
        server.process_request = functools.partial(HTTPServer.process_request, server)  # here, in no thread
        with socket.create_connection(server.server_address) as reader:
            reader.sendall(b"GET /large.bin HTTP/1.0\r\n\r\n")
            reader.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        server.handle_request()
    assert capsys.readouterr().err == ""


def test_a_taken_port_is_no_error(site, free_port):
    with serve.open_server(site, free_port) as first, serve.open_server(site, free_port) as second:
        assert first.server_address[1] != second.server_address[1]


def test_ports_end_at_65535(site):
    serve.open_server(site, 65535).server_close()


@pytest.mark.parametrize("host", ["203.0.113.7", "no.such.host.invalid"])
def test_an_address_of_another_machine_is_refused_by_name(site, host):
    with pytest.raises(OSError, match=f"{host} is no address of this machine"):
        serve.open_server(site, 8000, host)


def test_the_notice_says_who_can_read():
    assert serve.notice("127.0.0.1", 8000) == "==> The book is at http://localhost:8000/  (stop with Ctrl-C)"
    for host in ("0.0.0.0", "192.168.1.20"):
        said = serve.notice(host, 8001)
        assert "Everybody who can reach this machine" in said
        assert ":8001/" in said
    assert "http://192.168.1.20:8001/" in said
    assert "0.0.0.0" not in serve.notice("0.0.0.0", 8000), "nobody can open that address"
    assert "http://[fd00::1]:8000/" in serve.notice("fd00::1", 8000)


def test_the_command(site):
    done = subprocess.run(
        [sys.executable, "-m", "tools.serve", str(site / "none")], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 1
    assert "holds no built book" in done.stderr
    done = subprocess.run(
        [sys.executable, "-m", "tools.serve", str(site), "--host", "203.0.113.7"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert done.stderr == "203.0.113.7 is no address of this machine\n"
