"""Builds that use up what they can reach: python3 hostile.py KIND. They then hold it, until they are ended."""

import array, ctypes, mmap, os, resource, select, signal, socket, sys, threading, time

libc = ctypes.CDLL(None, use_errno=True)
libc.shmat.restype = ctypes.c_void_p
megabyte = b"x" * (1 << 20)


def hold(what):
    print("took", what, flush=True)
    time.sleep(600)


def raise_limit():
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return hard


def unnamed(name):
    file = os.open(name, os.O_RDWR | os.O_CREAT)
    os.unlink(name)
    return file


def until_refused(act, most=1 << 60):
    count = 0
    try:
        while count < most:
            act()
            count += 1
    except OSError as error:
        return count, error
    return count


def epoll():
    files = [os.eventfd(0) for _ in range(raise_limit() // 3)]
    watchers = []

    def watch():
        watchers.append(select.epoll())
        for file in files:
            watchers[-1].register(file, select.EPOLLIN)

    hold(until_refused(watch))


def inotify():
    count = 0
    while libc.inotify_init1(0) >= 0:
        count += 1
    hold(count)


def keys():
    count = 0
    while libc.syscall(248, b"user", b"key%d" % count, b"x" * 64, 64, ctypes.c_int(-2)) > 0:
        count += 1
    hold(count)


def open_files():
    for _ in range(100):
        if os.fork() == 0:
            until_refused(lambda: os.eventfd(0))
            time.sleep(600)
    hold("open files")


def system_v():
    for _ in range(12):
        segment = libc.shmget(0, 64 << 20, 0o1600)
        place = libc.shmat(segment, None, 0)
        ctypes.memset(place, 1, 64 << 20)
        libc.shmdt(ctypes.c_void_p(place))
    hold("System V")


def sockets():
    raise_limit()
    kept = []
    for _ in range(3900):
        pair = socket.socketpair()
        kept.append(pair)
        for each in pair:
            each.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 24)
            each.setblocking(False)
            until_refused(lambda: each.send(b"x" * 65536))
    hold("sockets")


def in_flight(make, megabytes):
    sender, receiver = socket.socketpair()

    def send():
        file = make()
        for _ in range(32):
            os.write(file, megabyte)
        socket.send_fds(sender, [b"x"], [file])
        os.close(file)

    # A file that the disk refuses stays open.
    hold(until_refused(send, megabytes // 32))


def memfd():
    in_flight(lambda: os.memfd_create("x"), 640)


def travelling():
    in_flight(lambda: unnamed("/tmp/x"), 320)


def mapped():
    kept = []

    def keep():
        file = unnamed("/tmp/x")
        for _ in range(8):
            os.write(file, megabyte)
        kept.append(mmap.mmap(file, 8 << 20, mmap.MAP_SHARED))
        os.close(file)
        for name in os.listdir("/proc/self/fd"):
            try:
                if "(deleted)" in os.readlink("/proc/self/fd/" + name):
                    os.close(int(name))
            except OSError:
                pass

    hold(until_refused(keep, 100))


def full_disk():
    kept = []
    print(until_refused(lambda: kept.append(unnamed("/tmp/x")) or os.write(kept[-1], megabyte), 800), flush=True)
    hold("the disk")


def unnamed_files():
    kept = []
    raise_limit()
    hold(until_refused(lambda: kept.append(unnamed("/tmp/x"))))


def threads():
    while True:
        threading.Thread(target=time.sleep, args=(600,), daemon=True).start()


def bomb():
    for each in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(each, signal.SIG_IGN)
    first = os.getpid()
    while True:
        try:
            os.fork()
        except OSError:
            if os.getpid() == first:
                first = None
                print("took processes", flush=True)


def survivor():
    for _ in range(2):
        if os.fork():
            os._exit(0)
        os.setsid()
    os.chdir("/")
    os.execve("/bin/sleep", ["sleep", "86319.5"], {})


def signals():
    for process in range(2, 70_000):
        try:
            os.kill(process, signal.SIGKILL)
        except OSError:
            pass


def processes():
    seen = 0
    for process in filter(str.isdigit, os.listdir("/proc")):
        for file in ("environ", "mem", "root/etc/shadow"):
            try:
                seen += b"5ecret" in open("/proc/%s/%s" % (process, file), "rb").read(1 << 16)
            except OSError:
                pass
    print("seen", seen, flush=True)
    sys.exit(0 if seen == 0 else 1)


globals()[sys.argv[1]]()
