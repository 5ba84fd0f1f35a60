import type { Pipeline } from '@deadheat/report';

/** The pipeline that this process is a step of, by the variables of GitHub and GitLab; `null` outside of both. */
export function pipelineOf(variables: Readonly<Record<string, string | undefined>>): Pipeline | null {
  function valueOf(name: string): string | null {
    const value = variables[name] ?? '';
    return value === '' ? null : value;
  }
  const repository = valueOf('GITHUB_REPOSITORY');
  if (valueOf('GITHUB_ACTIONS') === 'true' && repository !== null) {
    const projectUrl = `${valueOf('GITHUB_SERVER_URL') ?? 'https://github.com'}/${repository}`;
    const run = valueOf('GITHUB_RUN_ID');
    const runUrl = run === null ? null : `${projectUrl}/actions/runs/${run}`;
    return {
      project: repository,
      projectUrl,
      commitPath: '/commit/',
      runUrl,
      artifactsUrl: runUrl === null ? null : `${runUrl}#artifacts`,
      folder: valueOf('GITHUB_WORKSPACE'),
    };
  }
  if (valueOf('GITLAB_CI') !== 'true') return null;
  const job = valueOf('CI_JOB_URL');
  return {
    project: valueOf('CI_PROJECT_PATH'),
    projectUrl: valueOf('CI_PROJECT_URL'),
    commitPath: '/-/commit/',
    runUrl: job,
    artifactsUrl: job === null ? null : `${job}/artifacts/browse`,
    folder: valueOf('CI_PROJECT_DIR'),
  };
}
