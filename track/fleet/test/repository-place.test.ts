import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isAllowedRepository, isRepositoryAddress } from '../src/worker/repository-place.ts';

describe('an allowed repository', () => {
  it.each([
    ['https://example.org/team/a.git', 'https://example.org/team/a.git'],
    ['https://example.org/team/', 'https://example.org/team/a.git'],
    ['https://example.org/team/', 'https://example.org/team/b/a'],
    ['https://example.org/', 'https://EXAMPLE.org:443/team/a'],
    ['https://', 'https://example.org/a.git'],
    ['ssh://git@example.org/team/', 'ssh://git@example.org:22/team/a'],
    ['ssh://git@example.org/team/', 'git@example.org:/team/a'],
    ['git@example.org:team/', 'git@example.org:team/a.git'],
    ['git://example.org:9999/', 'git://example.org:9999/a'],
    ['/srv/git/', '/srv/git/a.git'],
    ['file:///srv/git/', '/srv/git/a.git/'],
    ['/', '/home/ü/c++/a@b,c=d.git'],
    ['https://[2001:db8::1]/', 'https://[2001:db8::1]/a'],
  ])('%s has %s', (allowed, repository) => {
    expect(isAllowedRepository(repository, allowed)).toBe(true);
  });

  it.each([
    ['https://example.org/team/a', 'https://example.org/team/ab'],
    ['https://example.org/team/', 'https://example.org/team-of-others/a.git'],
    ['https://example.org/team/', 'https://example.org/team'],
    ['https://example.org/team/', 'https://example.org.evil.example/team/a.git'],
    ['https://example.org/team/', 'https://example.org:8443/team/a'],
    ['https://example.org/team/', 'http://example.org/team/a'],
    ['https://example.org/team/', 'https://example.org@evil.example/team/a'],
    ['https://example.org/team/', 'https://user:word@example.org/team/a'],
    ['https://example.org/team/', 'https://example.org\\@evil.example/team/a'],
    ['https://example.org/team/', 'https://example.org/team/../others/a.git'],
    ['https://example.org/team/', 'https://example.org/team/%2e%2e/others/a.git'],
    ['https://example.org/team/', 'https://example.org/team/%2E./others/a.git'],
    ['https://example.org/team/', 'https://example.org/team/%252e%252e/others/a.git'],
    ['https://example.org/team/', 'https://example.org/team/..%2fothers/a.git'],
    ['https://example.org/team/', 'https://example.org/team/..\\others/a.git'],
    ['https://example.org/team/', 'https://example.org/team/./a'],
    ['https://example.org/team/', 'https://example.org/team//a'],
    ['https://example.org/team/', 'https://example.org/team/a?x=../../b'],
    ['https://example.org/team/', 'https://example.org/team/a#b'],
    ['https://example.org/team/', 'https://example.org/team/a\n'],
    ['https://example.org/team/', 'https://example.org/team/a\u0000b'],
    ['https://example.org/team/', 'https://example.org/team/ --upload-pack=evil'],
    ['https://example.org/team/', 'https://example.org/team/a\u2028b'],
    ['ssh://git@example.org/team/', 'ssh://root@example.org/team/a'],
    ['ssh://git@example.org/team/', 'ssh://-oProxyCommand=evil/team/a'],
    ['ssh://git@example.org/', 'ssh://git@example.org/~root/a'],
    ['git@example.org:team/', 'git@example.org:/team/a'],
    ['git@example.org:team/', 'git@example.org:team/../a'],
    ['git@example.org:team/', '-oProxyCommand=evil@example.org:team/a'],
    ['/srv/git/', '/srv/git/../../etc/a'],
    ['/srv/git/', '/srv/gitty/a'],
    ['ext::sh -c evil% /', 'ext::sh -c evil% /'],
    ['--upload-pack=evil/', '--upload-pack=evil/a'],
    ['-u', '-u'],
    ['fd::17/', 'fd::17/foo'],
    ['a/', 'a/b'],
    ['', ''],
  ])('%s has not %s', (allowed, repository) => {
    expect(isAllowedRepository(repository, allowed)).toBe(false);
  });

  it('is left by no address that is put together of what leads elsewhere', () => {
    const evil = [
      [
        '..',
        '.',
        '%2e%2e',
        '%2E%2e',
        '.%2e',
        '%252e',
        '..;',
        '\\',
        '..\\',
        '%5c',
        '%2f',
        '%00',
        '\0',
        '\n',
        '\r',
        '\t',
        ' ',
      ],
      [
        '@evil.example',
        ':x@evil.example',
        'evil.example',
        '#',
        '?',
        '~',
        '~root',
        '-',
        '--upload-pack=x',
        '-u',
        'ext::',
      ],
      [
        '::',
        ':',
        ':80',
        '/',
        '//',
        '\u202e',
        '\u00a0',
        '\u2024\u2024',
        '\uff0e\uff0e',
        '$(x)',
        '`x`',
        ';x',
        '|x',
        '[',
        ']',
        '*',
      ],
    ].flat();
    const good = [
      'https://',
      'http://',
      'ssh://',
      'file://',
      'git@',
      'example.org',
      'EXAMPLE.ORG',
      '/team',
      'team',
      '/',
      'a.git',
    ];
    const piece = fc.oneof(
      fc.constantFrom(...evil),
      fc.constantFrom(...good),
      fc.string({ maxLength: 3, unit: 'binary' }),
    );
    const free = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''));
    const below = free.map((text) => `https://example.org/team/${text}`);
    const allowed = 'https://example.org/team/';
    fc.assert(
      fc.property(fc.oneof(free, below), (repository) => {
        if (!isAllowedRepository(repository, allowed)) return;
        // A second reader, that of browsers, which resolves dots, also encoded ones, and turns backslashes into slashes.
        const url = new URL(repository);
        expect(url.origin).toBe('https://example.org');
        expect([url.username, url.password, url.search, url.hash]).toEqual(['', '', '', '']);
        expect(decodeURIComponent(url.pathname)).toBe(repository.slice(repository.indexOf('/', 8)));
        expect(url.pathname).toMatch(/^\/team\/./);
        expect(repository).not.toMatch(/[\\%\p{C}\s]/u);
      }),
      { seed: 21, numRuns: 5000 },
    );
  });
});

it('the address of a repository is told from what no worker should be started with', () => {
  for (const address of ['https://', '/', 'https://example.org/', 'git@example.org:a', '/srv/git']) {
    expect(isRepositoryAddress(address), address).toBe(true);
  }
  for (const address of [
    '',
    'example.org/a',
    'http://example.org/',
    './a',
    'https://example.org/%61',
    'x'.repeat(3000),
  ]) {
    expect(isRepositoryAddress(address), address).toBe(false);
  }
});
