"""The book is served to this machine, and to others only if that is asked for by name."""

import subprocess
import sys
import threading
from http.client import HTTPConnection

import pytest

from tools import serve
from tools.toc import ROOT

PORT = 8731


@pytest.fixture
def site(tmp_path):
    (tmp_path / "index.html").write_text("<title>ε</title>", encoding="utf-8")
    return tmp_path


def test_it_listens_on_this_machine_only_and_a_taken_port_is_no_error(site):
    with serve.open_server(site, PORT) as first, serve.open_server(site, PORT) as second:
        assert first.server_address[0] == second.server_address[0] == "127.0.0.1"
        assert first.server_address[1] != second.server_address[1]


def test_a_page_comes_fresh_and_nothing_outside_the_folder_comes_at_all(site):
    with serve.open_server(site, PORT, "0.0.0.0") as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            link = HTTPConnection("127.0.0.1", server.server_address[1])
            link.request("GET", "/")
            answer = link.getresponse()
            assert (answer.status, answer.headers["Cache-Control"]) == (200, "no-cache")
            assert answer.read().decode() == "<title>ε</title>"
            link.request("GET", "/../" * 8 + "etc/passwd")
            assert link.getresponse().status == 404
            link.close()
        finally:
            server.shutdown()
            thread.join()


def test_the_notice_says_who_can_read():
    assert serve.notice("127.0.0.1", 8000) == "==> The book is at http://localhost:8000/  (stop with Ctrl-C)"
    assert "http://192.168.1.20:8001/" in serve.notice("192.168.1.20", 8001)
    assert "Everybody who can reach this machine" in serve.notice("192.168.1.20", 8001)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["none"], "holds no built book"),
        ([".", "--host", "203.0.113.7"], "cannot listen at 203.0.113.7"),
        ([".", "--port", "70000"], "--port must be from 1 to 65535, got 70000"),
    ],
)
def test_what_cannot_be_served_is_said_in_a_line(site, words, said):
    command = [sys.executable, "-m", "tools.serve", str(site / words[0]), *words[1:]]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.returncode
    assert said in done.stderr
    assert "Traceback" not in done.stderr
