/**
 * Writes what the service's image has of npm packages into a folder's `node_modules`.
 *
 * @param archive - the packed command
 */
export function writePackages(archive: string, folder: string): void;
