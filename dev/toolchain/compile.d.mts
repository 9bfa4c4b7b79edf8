/**
 * Compiles the changes in each workspace of the checkout. False, with the errors printed, if something does not
 * compile.
 */
export function compileWorkspaces(root: string): Promise<boolean>;
