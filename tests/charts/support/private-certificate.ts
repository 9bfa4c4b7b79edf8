import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";

export interface PrivateCertificate {
    key: string;
    cert: string;
    /** Of the certificate. */
    file: string;
    keyFile: string;
}

/** Creates a self-signed certificate for an IP address and host names. */
export async function privateCertificate(
    folder: string,
    address = "127.0.0.1",
    ...hosts: string[]
): Promise<PrivateCertificate> {
    const [keyFile, file] = [path.join(folder, "key.pem"), path.join(folder, "ca.crt")];
    const names = [`IP:${address}`, ...hosts.map((host) => `DNS:${host}`)];
    const subject = ["-subj", "/CN=bundles", "-addext", `subjectAltName=${names.join(",")}`, "-days", "2"];
    const request = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", keyFile, "-out", file];
    await promisify(execFile)("openssl", [...request, ...subject]);
    return { key: await readFile(keyFile, "utf8"), cert: await readFile(file, "utf8"), file, keyFile };
}
