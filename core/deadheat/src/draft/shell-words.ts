/** First words that only a shell can carry out: POSIX special built-ins, those that act on the shell, reserved words. */
export const shellOnlyWords: ReadonlySet<string> = new Set(
  (
    '. : break continue eval exec exit export readonly return set shift times trap unset ' +
    'alias bg cd command fc fg getopts hash jobs local read source type ulimit umask unalias wait ' +
    '! { } [[ case do done elif else esac fi for function if in select then until while'
  ).split(' '),
);

/** Built-ins that are programs on most machines too; the shell is asked where they are not. */
export const shellOrProgramWords: ReadonlySet<string> = new Set([
  '[',
  'echo',
  'false',
  'kill',
  'printf',
  'pwd',
  'test',
  'true',
]);
