/**
 * Writes the npm packages of the service's image into a folder's `node_modules`, and their licences into the folder.
 * @param archive - the packed command
 */
export function writePackages(archive: string, folder: string): void;
