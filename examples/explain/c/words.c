/* Mixes numbers; `slow` makes one function, hash_of, do a quarter more work. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT 65536
static uint32_t values[COUNT];

__attribute__((noinline)) static void make_values(uint32_t seed) {
  for (int round = 0; round < 12; round++)
    for (int i = 0; i < COUNT; i++) values[i] = seed = seed * 1103515245u + 12345u;
}

__attribute__((noinline)) static uint32_t hash_of(int rounds) {
  uint32_t hash = 2166136261u;
  for (int round = 0; round < rounds; round++)
    for (int i = 0; i < COUNT; i++) hash = (hash ^ values[i]) * 16777619u;
  return hash;
}

__attribute__((noinline)) static uint32_t mix(void) {
  uint32_t sum = 0;
  for (int round = 0; round < 20; round++)
    for (int i = 0; i < COUNT; i++) sum = (sum << 3 | sum >> 29) ^ (values[i] + round);
  return sum;
}

static int compare(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return x < y ? -1 : x > y;
}

__attribute__((noinline)) static uint32_t rank(void) {
  qsort(values, COUNT / 8, sizeof values[0], compare);
  return values[7];
}

int main(int count, char **words) {
  int slow = count > 2 && strcmp(words[2], "slow") == 0, repeats = count > 1 ? atoi(words[1]) : 60;
  uint32_t result = 0;
  for (int i = 0; i < repeats; i++) {
    make_values((uint32_t)i + 1);
    result ^= hash_of(slow ? 10 : 8) ^ mix() ^ rank();
  }
  printf("%u\n", result);
  return 0;
}
