"""Runs Patroni, and ends PostgreSQL and Patroni while the disk of the database completes no writes.

Patroni does not notice a disk that hangs: its loop writes nothing, and PostgreSQL answers it from memory. Therefore
PostgreSQL is killed first: Patroni then releases its lock, and a standby takes over. Patroni is killed soon after,
because it may wait for the disk itself; a lock that it still holds expires. SIGKILL also ends a process that waits for
the disk before it can continue, so the former primary does nothing more when the disk recovers. Then Patroni is started
again, and makes it a standby.

Usage: disk-check.py CONFIG_OF_PATRONI
"""

import ctypes
import errno
import http.server
import os
import signal
import socketserver
import subprocess
import sys
import threading
import time

import yaml

WRITE_SECONDS = 2
# Longer than a disk that works needs for one write, even while a backup or a checkpoint runs.
HANGING_SECONDS = 10
# Two turns of Patroni's loop, in which it finds PostgreSQL dead and releases its lock.
RELEASE_SECONDS = 6
METRICS_PORT = 8009
# PostgreSQL runs exactly while it exists, so a folder that is being created or copied is left alone.
RUNNING_FILE = "postmaster.pid"
# Not part of backups and copies, because of this prefix.
WRITTEN_FILE = "pgsql_tmp_disk_check"
WRITTEN = b"Written by disk-check.py of Disca.\n"
MCL_CURRENT = 1


def write_regularly(data):
    """Writes to the disk of this folder, and prints a character after every write that has completed."""
    # Ends with the program that reads the characters.
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    while True:
        try:
            os.stat(os.path.join(data, RUNNING_FILE))
            write(os.path.join(data, WRITTEN_FILE))
        except FileNotFoundError:
            pass  # PostgreSQL does not run.
        except OSError as error:
            # A full disk responds; PostgreSQL handles it. Any other error is a disk that does not work.
            if error.errno not in (errno.ENOSPC, errno.EDQUOT):
                log(f"a write failed: {error}")
                time.sleep(WRITE_SECONDS)
                continue
        os.write(sys.stdout.fileno(), b".")
        time.sleep(WRITE_SECONDS)


def write(path):
    file = os.open(path, os.O_WRONLY | os.O_CREAT, 0o600)
    try:
        os.pwrite(file, WRITTEN, 0)
        os.fsync(file)
    finally:
        os.close(file)


class Disk:
    """Counts the seconds since the last write. The writes are made by a process that may hang with the disk."""

    def __init__(self, data):
        self.data = data
        self.silent_seconds = 0
        self.writer = self.start_writer()

    def start_writer(self):
        writer = subprocess.Popen([sys.executable, __file__, "--write", self.data], stdout=subprocess.PIPE)
        os.set_blocking(writer.stdout.fileno(), False)
        return writer

    def wait_a_second(self):
        """Counts seconds in which this program ran, so that a machine that was suspended is not mistaken."""
        time.sleep(1)
        if self.writer.poll() is not None:
            self.writer.stdout.close()
            self.writer = self.start_writer()
        try:
            has_written = len(os.read(self.writer.stdout.fileno(), 1_000)) > 0
        except BlockingIOError:
            has_written = False
        self.silent_seconds = 0 if has_written else self.silent_seconds + 1

    def hangs(self):
        return self.silent_seconds >= HANGING_SECONDS


class Supervisor:
    """Runs Patroni while the disk works."""

    def __init__(self, config_file, data, disk):
        self.config_file = config_file
        self.data = data
        self.disk = disk
        self.patroni = None
        self.is_stopping = False

    def forward(self, number, _frame):
        self.is_stopping = self.is_stopping or number != signal.SIGHUP
        if self.patroni and self.patroni.poll() is None:
            self.patroni.send_signal(number)

    def run(self):
        """Returns the exit code of a Patroni that has ended by itself or was stopped."""
        while not self.is_stopping:
            self.patroni = start_patroni(self.config_file)
            while self.patroni.poll() is None and not self.disk.hangs():
                self.disk.wait_a_second()
            if self.patroni.returncode is not None:
                return self.patroni.returncode if self.patroni.returncode >= 0 else 1
            self.give_up()
        return 0

    def give_up(self):
        kill_postgres(self.data)
        log(f"the disk has completed no write for {self.disk.silent_seconds} s: PostgreSQL was killed")
        for _ in range(RELEASE_SECONDS):
            self.disk.wait_a_second()
            kill_postgres(self.data)
        self.patroni.kill()
        log("Patroni was killed, and starts again when the disk completes writes")
        while not self.is_stopping and not self.has_recovered():
            self.disk.wait_a_second()
        if not self.is_stopping:
            log("the disk completes writes: starting Patroni")

    def has_recovered(self):
        """Returns whether the disk works and every process of the former primary has ended."""
        remains = kill_postgres(self.data)
        return self.patroni.poll() is not None and not remains and not self.disk.hangs()


def start_patroni(config_file):
    # Stopped with this program, which otherwise would leave Patroni without a check of the disk.
    stopped_too = ["setpriv", "--pdeathsig", "TERM", "--"]
    return subprocess.Popen([*stopped_too, sys.executable, "/usr/bin/patroni", config_file])


def kill_postgres(data):
    """Kills the processes of PostgreSQL with this data folder; returns whether there were any. Reads no disk."""
    # The oldest first: it would start the others again.
    pids = sorted(int(name) for name in os.listdir("/proc") if name.isdigit())
    found = [pid for pid in pids if is_postgres(pid, data)]
    for pid in found:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass  # It has ended meanwhile.
    return len(found) > 0


def is_postgres(pid, data):
    try:
        program = os.path.basename(os.readlink(f"/proc/{pid}/exe"))
        return program == "postgres" and os.readlink(f"/proc/{pid}/cwd") == data
    except OSError:
        return False  # It has ended, or belongs to another user.


def serve_metrics(address, disk):
    class Handler(http.server.BaseHTTPRequestHandler):
        timeout = 2

        def do_GET(self):
            if self.path != "/metrics":
                self.send_error(404)
                return
            name = "disca_database_disk_silent_seconds"
            text = (
                f"# HELP {name} Seconds since the disk of the database completed a write.\n"
                f"# TYPE {name} gauge\n{name} {disk.silent_seconds}\n"
            )
            self.send_response(200)
            self.send_header("Content-Type", "text/plain; version=0.0.4")
            self.end_headers()
            self.wfile.write(text.encode())

        def log_message(self, *_):
            pass

    # Not HTTPServer, which looks up the name of the address and may wait for DNS.
    socketserver.TCPServer.allow_reuse_address = True
    server = socketserver.TCPServer((address, METRICS_PORT), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()


def lock_memory():
    """Keeps this program in memory: its pages may be on the disk that hangs."""
    library = ctypes.CDLL(None, use_errno=True)
    if library.mlockall(MCL_CURRENT) != 0:
        log(f"the memory is not locked: {os.strerror(ctypes.get_errno())}")


def log(message):
    print(f"disk check: {message}", file=sys.stderr, flush=True)


def main(config_file):
    with open(config_file, encoding="utf-8") as file:
        config = yaml.safe_load(file)
    data = os.path.realpath(config["postgresql"]["data_dir"])
    disk = Disk(data)
    supervisor = Supervisor(config_file, data, disk)
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, supervisor.forward)
    serve_metrics(config["restapi"]["connect_address"].rsplit(":", 1)[0], disk)
    lock_memory()
    code = supervisor.run()
    disk.writer.kill()
    sys.exit(code)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--write"]:
        write_regularly(*sys.argv[2:])
    else:
        main(*sys.argv[1:])
