import type { Params } from '@deadheat/model';

/** Replaces every `{NAME}` of a known parameter by its value; other braces stay, and values are not looked into. */
export function fillParameters(template: string, params: Params): string {
  return template.replaceAll(/\{([^{}]*)\}/g, (braces, name: string) =>
    Object.hasOwn(params, name) ? (params[name] ?? braces) : braces,
  );
}
