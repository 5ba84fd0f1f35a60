export function whyNoNamespaces(): string | null;
