/** Writes the plugin into a folder, which is made if there is none. */
export function bundlePlugin(folder: string): Promise<void>;
