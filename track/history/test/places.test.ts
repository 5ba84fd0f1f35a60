import { describe, expect, it } from 'vitest';
import { withoutPasswords } from '@deadheat/model/text';
import { databaseFailure } from '../src/index.ts';
import { BinaryRows } from '../src/postgres/binary-rows.ts';

describe('passwords in texts', () => {
  it('are taken out of every URL of PostgreSQL, whatever is in them', () => {
    expect(withoutPasswords('to postgres://ci:a:b@c@host:5432/x?sslmode=require, or postgresql://u:p@h/y.')).toBe(
      'to postgres://ci@host:5432/x?sslmode=require, or postgresql://u@h/y.',
    );
    expect(withoutPasswords('postgres://h/x?user=u&password=p&sslpassword=q&port=1')).toBe(
      'postgres://h/x?user=u&password=&sslpassword=&port=1',
    );
  });

  it('are not looked for elsewhere', () => {
    const text = 'http://a:b@c/d, postgres://ci@host:5432/x and me@example.org: 12:30';
    expect(withoutPasswords(text)).toBe(text);
  });
});

describe('what a pooler says of its server', () => {
  function failureFor(message: string): unknown {
    return databaseFailure(Object.assign(new Error(message), { code: '08P01' }), 'postgres://ci@pooler/x');
  }

  it('is a lost connection when that has ended, and a refusal otherwise', () => {
    for (const message of [
      'server login has been failing, try again later (server_login_retry)',
      'server conn crashed?',
      'server connection closed',
      'server login failed: FATAL the database system is starting up',
      'pgbouncer cannot connect to server',
      'client_login_timeout (server down)',
      'query_wait_timeout',
      'no more connections allowed (max_client_conn)',
    ]) {
      expect(failureFor(message), message).toMatchObject({ code: 'NO_CONNECTION' });
    }
    for (const message of ['unsupported startup parameter: options', 'server login failed: wrong password type']) {
      expect(failureFor(message), message).toMatchObject({ code: 'STORE_FAILED' });
    }
  });
});

/** Reads an array of bigint or double precision as `array_send` gives it, row by row where it has two dimensions; NULL is NaN. */
function readArray(bytes: Buffer): readonly Float64Array[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const [oidOfInt8, elementBytes] = [20, 12];
  const dimensions = view.getInt32(0);
  const isWhole = view.getInt32(8) === oidOfInt8;
  const rows = dimensions === 2 ? view.getInt32(12) : 1;
  const length = dimensions === 0 ? 0 : view.getInt32(12 + 8 * (dimensions - 1));
  let at = 12 + 8 * dimensions;
  return Array.from({ length: rows }, () => {
    const row = new Float64Array(length).fill(Number.NaN);
    for (let k = 0; k < length; k += 1) {
      const isThere = view.getInt32(at) === 8;
      if (isThere) row[k] = isWhole ? Number(view.getBigInt64(at + 4)) : view.getFloat64(at + 4);
      at += isThere ? elementBytes : 4;
    }
    return row;
  });
}

describe('arrays in the binary format', () => {
  /** The value alone, behind its length and that of the row. */
  function valueOf(rows: BinaryRows): Buffer {
    return rows.take().subarray(4);
  }

  it('come back with what is missing in them', () => {
    const numbers = [new Float64Array([1.5, Number.NaN, -2]), new Float64Array([0, 7, Number.NaN])];
    expect(readArray(valueOf(new BinaryRows().doubles(numbers)))).toEqual(numbers);
    expect(readArray(valueOf(new BinaryRows().doubles(numbers.slice(0, 1))))).toEqual(numbers.slice(0, 1));
    expect(readArray(valueOf(new BinaryRows().whole(new BigInt64Array([1n, -5n, 2n ** 52n]))))).toEqual([
      new Float64Array([1, -5, 2 ** 52]),
    ]);
  });

  it('grow beyond the first piece of memory', () => {
    const many = Float64Array.from({ length: 50_000 }, (_, k) => (k % 7 === 0 ? Number.NaN : k));
    expect(readArray(valueOf(new BinaryRows().doubles([many])))).toEqual([many]);
  });
});
