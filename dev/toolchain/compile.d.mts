/** Compiles what has changed in each workspace of the checkout. False when something does not compile; it is printed, then. */
export function compileWorkspaces(root: string): Promise<boolean>;
