/** What the submitter tells of the fleet, beside the progress of the experiment. */
export type SubmitEvent =
  | { readonly kind: 'submitted'; readonly experiment: string; readonly workers: readonly string[] }
  | { readonly kind: 'worker-joined'; readonly worker: string }
  /** Its runs go elsewhere. */
  | { readonly kind: 'worker-lost'; readonly worker: string }
  | { readonly kind: 'connection-lost'; readonly message: string }
  | { readonly kind: 'connection-found' };
