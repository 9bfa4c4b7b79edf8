/**
 * The exporter's own package folder. The path is the same from src/text/, dist/text/ and the bundle in dist/bundled/.
 */
export const packageFolder = new URL("../../", import.meta.url);
