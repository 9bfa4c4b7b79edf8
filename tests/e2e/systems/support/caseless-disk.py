"""Mounts a folder as a disk of macOS: it ignores the case and the Unicode form of names, and keeps their spelling.

Usage: python3 caseless-disk.py FOLDER MOUNT_POINT (as root; end it with `fusermount3 -u MOUNT_POINT`)
"""
import errno
import os
import sys
import unicodedata

from fusepy import FUSE, FuseOSError, Operations


def fold(name):
    decomposed = unicodedata.normalize("NFD", name)
    return unicodedata.normalize("NFD", decomposed.casefold())


class CaselessDisk(Operations):
    def __init__(self, root):
        self.root = root
        self.names = {}

    def listed(self, folder):
        if folder not in self.names:
            try:
                self.names[folder] = {fold(name): name for name in os.listdir(folder)}
            except OSError:
                self.names[folder] = {}
        return self.names[folder]

    def real(self, path):
        place = self.root
        for part in filter(None, path.split("/")):
            place = os.path.join(place, self.listed(place).get(fold(part), part))
        return place

    def changed(self, result=None):
        self.names.clear()
        return result

    def access(self, path, mode):
        place = self.real(path)
        if not os.access(place, mode):
            raise FuseOSError(errno.EACCES if os.path.lexists(place) else errno.ENOENT)

    def getattr(self, path, fh=None):
        found = os.lstat(self.real(path))
        keys = ("st_atime", "st_ctime", "st_gid", "st_ino", "st_mode", "st_mtime", "st_nlink", "st_size", "st_uid")
        return {key: getattr(found, key) for key in keys}

    def statfs(self, path):
        found = os.statvfs(self.real(path))
        return {key: getattr(found, key) for key in dir(found) if key.startswith("f_") and key != "f_fsid"}

    def rename(self, old, new):
        source, target = self.real(old), self.real(new)
        if source == target:  # another spelling of the same name
            target = os.path.join(os.path.dirname(target), new.rsplit("/", 1)[-1])
        return self.changed(os.rename(source, target))

    def create(self, path, mode, fi=None):
        flags = os.O_RDWR if os.path.lexists(self.real(path)) else os.O_RDWR | os.O_CREAT | os.O_EXCL
        return self.changed(os.open(self.real(path), flags, mode))

    def chmod(self, path, mode): os.chmod(self.real(path), mode)
    def chown(self, path, uid, gid): os.lchown(self.real(path), uid, gid)
    def readdir(self, path, fh): return [".", ".."] + os.listdir(self.real(path))
    def readlink(self, path): return os.readlink(self.real(path))
    def mkdir(self, path, mode): return self.changed(os.mkdir(self.real(path), mode))
    def rmdir(self, path): return self.changed(os.rmdir(self.real(path)))
    def unlink(self, path): return self.changed(os.unlink(self.real(path)))
    def symlink(self, name, target): return self.changed(os.symlink(target, self.real(name)))
    def link(self, name, source): return self.changed(os.link(self.real(source), self.real(name)))
    def utimens(self, path, times=None): os.utime(self.real(path), times, follow_symlinks=False)
    def open(self, path, flags): return os.open(self.real(path), flags)
    def read(self, path, size, offset, fh): return os.pread(fh, size, offset)
    def write(self, path, data, offset, fh): return os.pwrite(fh, data, offset)
    def truncate(self, path, length, fh=None): os.truncate(self.real(path), length)
    def flush(self, path, fh): return 0
    def release(self, path, fh): return os.close(fh)
    def fsync(self, path, datasync, fh): return os.fsync(fh)


if __name__ == "__main__":
    disk = CaselessDisk(os.path.realpath(sys.argv[1]))
    # The spellings of a name have one inode, as on macOS.
    FUSE(disk, sys.argv[2], foreground=True, nothreads=True, allow_other=True, use_ino=True)
