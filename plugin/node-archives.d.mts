/** The release of Node.js in the archives. */
export const nodeVersion: string;
