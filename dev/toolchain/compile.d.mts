/**
 * Compiles the changes in each workspace of the checkout. Returns false and prints the errors if something does not
 * compile.
 */
export function compileWorkspaces(root: string): Promise<boolean>;
