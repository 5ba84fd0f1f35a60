// A library that is loaded before the C library (LD_PRELOAD) and makes one of its calls fail. FAULT_CLASS names the class of calls, FAULT_ERRNO
// the error (0: half of the bytes are read or written), FAULT_AT the call of this class that fails, from 1 (0: none, calls are only counted), FAULT_ON=1
// makes all later ones fail, too. FAULT_BELOW limits calls with a file to those below a folder, FAULT_IN to processes with one of these words, parted by
// colons, in their command line. FAULT_COUNTER is a file of 64-bit numbers that all processes share: calls of the class, failures, and
// with FAULT_CLASS=all, where none fails, the calls of each of `classes`.
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdlib.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static const char *class = "", *below = "";
static const char *const classes[] = { "open", "read", "write", "sync", "truncate", "link", "rename", "unlink", "mkdir", "close", "stat",
  "list", "lock", "map", "memfd", "spawn", "fork", "pipe", "affinity", NULL };
static int number, on, isAll;
static int64_t at;
static volatile int64_t *counter;

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static int isMeant(void) {
  const char *in = getenv("FAULT_IN");
  char line[8192], words[1024];
  int fd = REAL(open)("/proc/self/cmdline", O_RDONLY);
  ssize_t length = fd < 0 ? 0 : REAL(read)(fd, line, sizeof line - 1);
  if (fd >= 0) REAL(close)(fd);
  if (in == NULL || length <= 0) return in == NULL;
  for (ssize_t i = 0; i < length; i++) if (line[i] == 0) line[i] = ' ';
  line[length] = 0;
  snprintf(words, sizeof words, "%s", in);
  for (char *word = strtok(words, ":"); word != NULL; word = strtok(NULL, ":")) if (strstr(line, word) != NULL) return 1;
  return 0;
}

__attribute__((constructor)) static void begin(void) {
  const char *file = getenv("FAULT_COUNTER");
  if (file == NULL || getenv("FAULT_CLASS") == NULL || !isMeant()) return;
  int fd = REAL(open)(file, O_RDWR);
  void *shared = fd < 0 ? MAP_FAILED : REAL(mmap)(NULL, 512, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (fd >= 0) REAL(close)(fd);
  if (shared == MAP_FAILED) return;
  class = getenv("FAULT_CLASS");
  below = getenv("FAULT_BELOW") ? getenv("FAULT_BELOW") : "";
  isAll = strcmp(class, "all") == 0;
  number = atoi(getenv("FAULT_ERRNO") ? getenv("FAULT_ERRNO") : "5");
  at = atoll(getenv("FAULT_AT") ? getenv("FAULT_AT") : "0");
  on = getenv("FAULT_ON") != NULL;
  counter = shared;
}

static int isBelow(int folder, const char *path, int fd) {
  char full[8192], link[64];
  if (below[0] == 0) return 1;
  if (path != NULL && path[0] == '/') return strncmp(path, below, strlen(below)) == 0;
  if (path != NULL && folder == AT_FDCWD) { if (getcwd(full, 4096) == NULL) return 0; }
  else {
    snprintf(link, sizeof link, "/proc/self/fd/%d", path == NULL ? fd : folder);
    ssize_t length = readlink(link, full, 4096);
    if (length < 0) return 0;
    full[length] = 0;
  }
  if (path != NULL) { strncat(full, "/", 2); strncat(full, path, 4000); }
  return strncmp(full, below, strlen(below)) == 0;
}

static int isMine(const char *of) { return counter != NULL && (isAll || strcmp(of, class) == 0); }

static int isHit(const char *of) {
  if (isAll) {
    for (int i = 0; classes[i] != NULL; i++) if (strcmp(classes[i], of) == 0) __atomic_add_fetch(&counter[2 + i], 1, __ATOMIC_SEQ_CST);
    return 0;
  }
  int64_t call = __atomic_add_fetch(&counter[0], 1, __ATOMIC_SEQ_CST);
  if (at == 0 || (on ? call < at : call != at)) return 0;
  __atomic_add_fetch(&counter[1], 1, __ATOMIC_SEQ_CST);
  errno = number;
  return 1;
}

static int fails(const char *of, int folder, const char *path, int fd) {
  if (!isMine(of)) return 0;
  int kept = errno;
  int found = isBelow(folder, path, fd);
  errno = kept;
  return found && isHit(of);
}

// Calls with a path, and with a file.
#define PATH(of, type, bad, name, parameters, path, arguments) \
  type name parameters { return fails(of, AT_FDCWD, path, -1) ? bad : REAL(name) arguments; }
#define FILE_(of, type, name, parameters, fd, arguments) \
  type name parameters { return fails(of, 0, NULL, fd) ? -1 : REAL(name) arguments; }
#define OPEN(name) \
  int name(const char *path, int flags, ...) { \
    va_list rest; va_start(rest, flags); int mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, int) : 0; va_end(rest); \
    return fails("open", AT_FDCWD, path, -1) ? -1 : REAL(name)(path, flags, mode); }
#define OPENAT(name) \
  int name(int folder, const char *path, int flags, ...) { \
    va_list rest; va_start(rest, flags); int mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, int) : 0; va_end(rest); \
    return fails("open", folder, path, -1) ? -1 : REAL(name)(folder, path, flags, mode); }
OPEN(open)
OPEN(open64)
OPENAT(openat)
OPENAT(openat64)
PATH("open", int, -1, mkstemp64, (char *path), path, (path))
PATH("list", DIR *, NULL, opendir, (const char *path), path, (path))
PATH("list", int, -1, scandir64, (const char *path, struct dirent64 ***list, int (*filter)(const struct dirent64 *), int (*order)(const struct dirent64 **, const struct dirent64 **)), path, (path, list, filter, order))
PATH("link", int, -1, link, (const char *path, const char *to), to, (path, to))
PATH("link", int, -1, symlink, (const char *path, const char *to), to, (path, to))
PATH("rename", int, -1, rename, (const char *path, const char *to), to, (path, to))
PATH("unlink", int, -1, unlink, (const char *path), path, (path))
PATH("unlink", int, -1, rmdir, (const char *path), path, (path))
PATH("mkdir", int, -1, mkdir, (const char *path, mode_t mode), path, (path, mode))
PATH("mkdir", char *, NULL, mkdtemp, (char *path), path, (path))

// Reads and writes, of which half may be done.
#define BYTES(of, name, buffer, offset, given) \
  ssize_t name(int fd, buffer data, size_t size offset) { \
    if (fails(of, 0, NULL, fd)) { if (number != 0 || size < 2) return -1; size /= 2; } \
    return REAL(name) given; }
#define OFFSET , off_t place
#define NONE
BYTES("read", read, void *, NONE, (fd, data, size))
BYTES("read", pread, void *, OFFSET, (fd, data, size, place))
BYTES("read", pread64, void *, OFFSET, (fd, data, size, place))
BYTES("write", write, const void *, NONE, (fd, data, size))
BYTES("write", pwrite, const void *, OFFSET, (fd, data, size, place))
BYTES("write", pwrite64, const void *, OFFSET, (fd, data, size, place))
FILE_("read", ssize_t, readv, (int fd, const struct iovec *data, int count), fd, (fd, data, count))
FILE_("read", ssize_t, preadv64, (int fd, const struct iovec *data, int count, off_t place), fd, (fd, data, count, place))
FILE_("write", ssize_t, writev, (int fd, const struct iovec *data, int count), fd, (fd, data, count))
FILE_("write", ssize_t, pwritev64, (int fd, const struct iovec *data, int count, off_t place), fd, (fd, data, count, place))
FILE_("sync", int, fsync, (int fd), fd, (fd))
FILE_("sync", int, fdatasync, (int fd), fd, (fd))
FILE_("truncate", int, ftruncate, (int fd, off_t size), fd, (fd, size))
FILE_("truncate", int, ftruncate64, (int fd, off_t size), fd, (fd, size))

// A file is closed whatever close says, and only what was written can be lost by then (close(2)).
int close(int fd) {
  int isBad = isMine("close") && (REAL(fcntl)(fd, F_GETFL) & O_ACCMODE) != O_RDONLY && fails("close", 0, NULL, fd);
  int result = REAL(close)(fd);
  if (!isBad) return result;
  errno = number;
  return -1;
}

// Memory that processes share.
#define MAP(name) \
  void *name(void *address, size_t size, int protection, int flags, int fd, off_t place) { \
    return (flags & MAP_SHARED) && isMine("map") && isHit("map") \
      ? MAP_FAILED : REAL(name)(address, size, protection, flags, fd, place); }
MAP(mmap)
MAP(mmap64)

// Calls without a file.
#define ANY(of, bad, type, name, parameters, arguments) \
  type name parameters { return isMine(of) && isHit(of) ? bad : REAL(name) arguments; }
ANY("memfd", -1, int, memfd_create, (const char *name, unsigned flags), (name, flags))
ANY("spawn", number, int, posix_spawn, (pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attributes, char *const *argv, char *const *envp), (pid, path, actions, attributes, argv, envp))
ANY("fork", -1, pid_t, fork, (void), ())
ANY("pipe", -1, int, pipe2, (int fds[2], int flags), (fds, flags))
ANY("pipe", -1, int, socketpair, (int domain, int type, int protocol, int fds[2]), (domain, type, protocol, fds))
ANY("affinity", -1, int, sched_setaffinity, (pid_t pid, size_t size, const cpu_set_t *set), (pid, size, set))

#define LOCK(name) \
  int name(int fd, int command, ...) { \
    va_list rest; va_start(rest, command); void *argument = va_arg(rest, void *); va_end(rest); \
    if ((command == F_SETLK || command == F_OFD_SETLK || command == F_OFD_GETLK) && fails("lock", 0, NULL, fd)) return -1; \
    return REAL(name)(fd, command, argument); }
LOCK(fcntl)
LOCK(fcntl64)

// libuv asks the kernel by itself for the state of a file, and to copy files.
long syscall(long call, ...) {
  va_list rest;
  long a[6];
  va_start(rest, call);
  for (int i = 0; i < 6; i++) a[i] = va_arg(rest, long);
  va_end(rest);
  if (call == SYS_statx) {
    const char *path = (const char *)a[1];
    int isFile = path == NULL || path[0] == 0;
    if (fails("stat", (int)a[0], isFile ? NULL : path, (int)a[0])) return -1;
  }
  if (call == SYS_close) return close((int)a[0]);
  if (call == SYS_copy_file_range && fails("write", 0, NULL, (int)a[2])) return -1;
  return REAL(syscall)(call, a[0], a[1], a[2], a[3], a[4], a[5]);
}
