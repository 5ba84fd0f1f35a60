"""Takes part in a duet of deadheat (workload protocol, version 1). Python 3.8 or later, Linux, standard library only.

    from deadheat import Duet

    with Duet() as duet:
        duet.run("parse", lambda: json.loads(text), iterations=100)

Times are nanoseconds of CLOCK_MONOTONIC. SPDX-License-Identifier: Apache-2.0
"""

import json
import mmap
import os
import resource
import threading
import time

MEASURE, WARMUP, STOP = 0, 1, 2
MAGIC, VERSION, PAGE_BYTES = 0x47504844, 1, 4096

# Words on the page: the offsets of docs/formats/protocol.md, divided by 4.
_CURSOR, _STATE, _WORK_DONE, _PID, _DECISION, _STARTED, _BENCHMARK = 0, 1, 2, 3, 4, 6, 7
_RUNNER_DECISION, _POISON, _INITIAL = 49, 50, 51
_RUNNING, _FINISHED, _FAILED = 1, 2, 3


class DuetError(Exception):
    """The page was refused, the other side is lost or late, or the record cannot be written."""


def _fence(lock=threading.Lock()):
    # Python has no fence. Releasing a lock and taking it again orders every access before against every access
    # after, on machines that would reorder them (arm64) too.
    lock.acquire()
    lock.release()
    lock.acquire()
    lock.release()


def _pause(idle, began):
    """One step of waiting with DEADHEAT_WAIT=yield, for a side whose core the other one may need.

    Yields as long as somebody takes the core, and sleeps between yields when nobody does, for a quarter of the time
    waited since ``began``, 50 us to 10 ms. ``idle``, which it gives anew, is the number of yields in a row after which
    nobody took the core.
    """
    if idle >= 64:
        time.sleep(min(max((time.monotonic() - began) / 4, 50e-6), 0.01))
    before = time.monotonic_ns()
    os.sched_yield()
    return idle + 1 if time.monotonic_ns() - before < 50_000 else 0


def _word(value):
    """A number cut to a signed word of 32 bits."""
    return (value + 0x80000000 & 0xFFFFFFFF) - 0x80000000


def _number(name):
    text = os.environ.get(name) or "0"
    if not (text.isascii() and text.isdigit()):
        raise DuetError(f"deadheat: {name} is '{text}'; a whole number expected")
    return int(text)


class _RunDelay:
    """How long this thread has been ready to run and waited for a CPU, ns: 0 where the kernel does not say."""

    def __init__(self):
        try:
            self._file = open("/proc/thread-self/schedstat", "rb", buffering=0)
        except OSError:
            self._file = None
        self.known = self._file is not None

    def __call__(self):
        return int(os.pread(self._file.fileno(), 64, 0).split()[1]) if self.known else 0

    def close(self):
        if self.known:
            self._file.close()


class Duet:
    """This program's part in a duet; without DEADHEAT_PAGE it runs alone.

    ``deadline``: how long to wait for the other side at most, seconds. One thread works for the side.
    """

    def __init__(self, deadline=30.0):
        self.deadline = deadline
        self._words = None
        self._map = None
        self._record = None
        self._iterations, self._warmup, self._fill = map(
            _number, ("DEADHEAT_ITERATIONS", "DEADHEAT_WARMUP", "DEADHEAT_FILL")
        )
        self._samples = _number("DEADHEAT_SAMPLES")
        if self._samples == 1:
            raise DuetError("deadheat: DEADHEAT_SAMPLES is '1'; a whole number from 2 expected")
        wait = os.environ.get("DEADHEAT_WAIT") or "spin"
        if wait not in ("spin", "yield"):
            raise DuetError(f"deadheat: DEADHEAT_WAIT is '{wait}'; spin or yield expected")
        self._yields = wait == "yield"
        path = os.environ.get("DEADHEAT_PAGE")
        if path:
            side = os.environ.get("DEADHEAT_SIDE", "")
            if side not in ("A", "B"):
                raise DuetError(f"deadheat: DEADHEAT_SIDE is '{side}'; A or B expected")
            self._party = "AB".index(side)
            self._own = 16 * (1 + self._party)
            self._peer = 16 * (2 - self._party)
            self._map = _open_page(path)
            self._words = memoryview(self._map).cast("i")
            self._words[self._own + _PID] = os.getpid()
            self._words[self._own + _STATE] = _RUNNING
        record = os.environ.get("DEADHEAT_RECORD")
        if record:
            try:
                self._record = os.open(record, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o644)
            except OSError as error:
                self.close(failed=True)
                raise DuetError(f"deadheat: cannot open the record {record}: {error.strerror}") from error

    @property
    def alone(self):
        """Whether there is no other side."""
        return self._words is None

    def barrier(self):
        """Arrives and waits for the other side. Gives MEASURE, WARMUP or STOP: what to do next.

        Alone it gives MEASURE at once. Raises DuetError when the run is called off or the deadline has passed.
        """
        words = self._words
        if words is None:
            return MEASURE
        own, peer = self._own, self._peer
        barrier = _word(words[own + _CURSOR] + 1)
        slot = 16 + _DECISION + (barrier & 1)
        began = time.monotonic()
        end = began + self.deadline
        if self._party == 0:
            said = words[_RUNNER_DECISION]
            applies = said >> 2 in (0, words[own + _BENCHMARK])  # it may be about one benchmark alone
            words[slot] = said & 3 if applies else words[_INITIAL]
        _fence()
        words[own + _CURSOR] = barrier
        loads = idle = 0
        while True:
            loads += 1
            poison = words[_POISON]  # before the cursor: a peer that ended may have come
            _fence()
            if _word(words[peer + _CURSOR] - barrier) >= 0:
                break
            if poison != 0:
                lost = poison == 1
                raise DuetError(
                    "deadheat: the other side is lost: it ended before the barrier"
                    if lost
                    else "deadheat: the run was called off"
                )
            if self._yields:
                idle = _pause(idle, began)
            if (self._yields or loads % 64 == 0) and time.monotonic() > end:
                raise DuetError(
                    f"deadheat: the other side did not reach barrier {barrier} within {self.deadline * 1000:.0f} ms"
                )
        _fence()
        return words[slot]

    def benchmark(self, name, params=None):
        """Begins a benchmark on the page and in the record; values of ``params`` are written as text."""
        if self._words is not None:
            self._words[self._own + _BENCHMARK] += 1
        texts = {str(key): str(value) for key, value in (params or {}).items()}
        self._write({"deadheat": VERSION, "benchmark": name, "params": texts})

    def record(self, i, s, e, n=1, warmup=False, **metrics):
        """Records a finished iteration and counts it on the page; call it before the next barrier.

        ``i``: index in its benchmark from 0; ``s``, ``e``: start and end, ns; ``n``: invocations; ``metrics``: ``c``
        and ``t`` (CPU time of process and thread, ns), ``q`` (time that the thread waited for a CPU, ns), ``v`` (involuntary context switches), ``d`` (list of times of single invocations, ns)
        and any other.
        """
        if self._words is not None:
            done = self._own + _WORK_DONE
            self._words[done] = _word(self._words[done] + 1)
        line = {"i": i, "s": s, "e": e, "n": n}
        if warmup:
            line["p"] = "warmup"
        line.update(metrics)
        self._write(line)

    def fill(self, fn):
        """With DEADHEAT_FILL: goes on calling ``fn``, unmeasured, until the other side has done as many iterations."""
        words = self._words
        if words is None or not self._fill:
            return
        done, peer, end = words[self._own + _WORK_DONE], self._peer + _WORK_DONE, time.monotonic() + self.deadline
        while _word(words[peer] - done) < 0 and words[_POISON] == 0 and time.monotonic() < end:
            fn()

    def run(self, name, fn, iterations=0, params=None, invocations=1):
        """Barrier, iteration, record, until the runner says stop or all iterations are done; gives their number.

        ``iterations``: at most, unless DEADHEAT_ITERATIONS says; 0: until the runner says stop. ``invocations``: calls
        of ``fn`` an iteration. ``c`` of the record is the CPU time of this process alone, without children.
        """
        iterations = self._iterations or iterations
        if self.alone and iterations <= 0:
            raise ValueError("deadheat: without a runner say how many iterations to do")
        self.benchmark(name, params)
        clock, cpu_clock, thread_clock = time.monotonic_ns, time.process_time_ns, time.thread_time_ns
        delay = _RunDelay()
        calls = range(invocations)
        i = 0
        while iterations <= 0 or i < iterations:
            decision = self.barrier()
            if decision == STOP:
                break
            if self._words is not None:
                self._words[self._own + _STARTED] = (clock() // 1_000_000) & 0x7FFFFFFF
            v, q = resource.getrusage(resource.RUSAGE_SELF).ru_nivcsw, delay()
            c, t = cpu_clock(), thread_clock()
            start = clock()
            for _ in calls:
                fn()
            end = clock()
            t, c = thread_clock() - t, cpu_clock() - c
            v = resource.getrusage(resource.RUSAGE_SELF).ru_nivcsw - v
            waited = {"q": delay() - q} if delay.known else {}
            sampled = {"d": self._sample(fn, invocations, end - start)} if self._samples else {}
            warmup = decision == WARMUP or i < self._warmup
            self.record(i, start, end, invocations, warmup=warmup, c=c, t=t, v=v, **waited, **sampled)
            self.fill(fn)
            i += 1
        delay.close()
        return i

    def _sample(self, fn, invocations, elapsed):
        """With DEADHEAT_SAMPLES: times of as many invocations again, ns, in at most so many batches.

        Each batch is timed as a whole, so that no clock stands in the iteration itself. At least two times, of which
        the iteration's own, ``elapsed``, is one where it had a single invocation.
        """
        batch = -(-invocations // self._samples)
        times = [elapsed] if invocations == 1 else []
        calls = range(batch)
        for _ in range(invocations // batch):
            start = time.monotonic_ns()
            for _ in calls:
                fn()
            times.append(round((time.monotonic_ns() - start) / batch, 3))
        return times

    def close(self, failed=False):
        """Tells the runner how the side ended. Nothing happens the second time."""
        if self._words is not None:
            self._words[self._own + _STATE] = _FAILED if failed else _FINISHED
            self._words[self._own + _PID] = 0
            self._words.release()
            self._map.close()
            self._words = None
        if self._record is not None:
            os.close(self._record)
            self._record = None

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        self.close(failed=kind is not None)

    def _write(self, value):
        if self._record is None:
            return
        line = json.dumps(value, separators=(",", ":"), allow_nan=False).encode() + b"\n"
        try:
            while line:
                line = line[os.write(self._record, line) :]
        except OSError as error:
            raise DuetError(f"deadheat: cannot write the record: {error.strerror}") from error


def _open_page(path):
    try:
        fd = os.open(path, os.O_RDWR | os.O_CLOEXEC)
    except OSError as error:
        raise DuetError(f"deadheat: cannot open the shared page {path}: {error.strerror}") from error
    try:
        size = os.fstat(fd).st_size
        if size < PAGE_BYTES:
            raise DuetError(f"deadheat: {path} is not a shared page: {size} bytes instead of {PAGE_BYTES}")
        page = mmap.mmap(fd, PAGE_BYTES)
    finally:
        os.close(fd)
    with memoryview(page).cast("i") as words:
        magic, version = words[0] & 0xFFFFFFFF, words[1]
    if magic != MAGIC:
        page.close()
        raise DuetError(f"deadheat: {path} is not a shared page: magic 0x{magic:08x}, not 0x{MAGIC:08x}")
    if version != VERSION:
        page.close()
        raise DuetError(
            f"deadheat: {path} is a page of version {version}; this client knows version {VERSION}. "
            "Use the same release of deadheat and of its client."
        )
    return page
