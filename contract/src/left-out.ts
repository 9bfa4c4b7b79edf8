/** Matches private keys. */
const keyName = /\.(?:pem|key|p12|pfx|ppk)$|^id_(?:rsa|dsa|ecdsa|ed25519)$/i;

/** Whether a file is a private key, by the last name of its path. */
export function isPrivateKey(path: string): boolean {
    return keyName.test(path.slice(path.lastIndexOf("/") + 1));
}

/**
 * Whether a finished site is published without the file or folder at a path: hidden names, which web servers do not
 * serve, dependencies, and private keys.
 *
 * @param isExport - whether an exporter has chosen the files: it only takes keys and GitBook's assets that pages link to
 */
export function isLeftOut(path: string, isExport = false): boolean {
    const shown = path.replace(/^\.well-known(?=\/|$)/, "");
    const visible = isExport ? shown.replace(/(^|\/)\.gitbook(?=\/assets(\/|$)|$)/g, "$1gitbook") : shown;
    return /(?:^|\/)\./.test(visible) || /^node_modules(?:\/|$)/.test(path) || (!isExport && isPrivateKey(path));
}
