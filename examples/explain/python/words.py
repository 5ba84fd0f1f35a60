"""Counts words of an artificial text; `--slow` makes one function, hash_of, do a quarter more work."""

import sys

IS_SLOW = "--slow" in sys.argv
REPEATS = next((int(word) for word in sys.argv[1:] if word.isdigit()), 10)


def make_text(seed):
    words = []
    for _ in range(20_000):
        seed = (seed * 1103515245 + 12345) & 0xFFFFFFFF
        words.append("w%d" % (seed % 5000))
    return words


def hash_of(words):
    value = 2166136261
    for _ in range(10 if IS_SLOW else 8):
        for word in words[::8]:
            value = ((value ^ len(word)) * 16777619) & 0xFFFFFFFF
    return value


def count_words(words):
    counts = {}
    for word in words:
        counts[word] = counts.get(word, 0) + 1
    return counts


def mix(words):
    total = 0
    for number, word in enumerate(words):
        total = (total + len(word) * number) & 0xFFFFFFFF
    return total


def main():
    result = 0
    for number in range(REPEATS):
        words = make_text(number + 1)
        result ^= hash_of(words) ^ mix(words) ^ len(count_words(words))
    print(result)


main()
