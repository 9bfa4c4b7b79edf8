"""An ordinary build, which needs a little of everything that hostile builds use up."""

import ctypes, errno, os, select, socket, subprocess, sys

libc = ctypes.CDLL(None, use_errno=True)


def need(what, value, refusals=()):
    if value < 0 and ctypes.get_errno() not in refusals:
        sys.exit("no %s: %s" % (what, os.strerror(ctypes.get_errno())))


for _ in range(4):
    need("inotify", libc.inotify_init1(0))
need("key", libc.syscall(248, b"user", b"neighbour", b"x", 1, ctypes.c_int(-2)), [errno.EPERM])  # Containers may have no keys.
need("System V", libc.shmget(0, 1 << 20, 0o1600))
watcher, files = select.epoll(), [os.eventfd(0) for _ in range(200)]
for file in files:
    watcher.register(file, select.EPOLLIN)
pair = socket.socketpair()
pair[0].send(b"x")
for _ in range(10):
    subprocess.run(["true"], check=True)
os.makedirs("out", exist_ok=True)
open("out/index.html", "wb").write(b"x" * (1 << 20))
