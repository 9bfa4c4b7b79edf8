import { lstat, mkdir, readdir, readFile, readlink, rename, symlink, writeFile } from "node:fs/promises";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { PutObjectCommand } from "@aws-sdk/client-s3";
import { AzureTarget, FolderTarget, S3Target, type SiteTarget } from "@pulumi-static-export/sdk/publish";
import { bucket, useS3Server } from "../../../provider/bundle-mirror/s3-server.js";
import { accountKey, container, useAzurite } from "./azurite-server.js";

/** A target that a spec reads without our code. */
export interface Place {
    /** @param below - a folder of the place, with a slash at its end */
    open(below?: string): Promise<SiteTarget>;
    paths(): Promise<string[]>;
    read(path: string): Promise<string>;
    write(path: string, content: string): Promise<void>;
    /** Returns the folder that a web server serves. */
    served(): Promise<string>;
}

/** @param folder - a new folder on this machine; its name also serves as a prefix */
export type CreatePlace = (folder: string) => Promise<Place>;

export const inFolder: CreatePlace = (folder) => createFolderPlace(folder, {});

/** A folder of a disk such as exFAT, and many network and FUSE file systems. */
export const inFolderWithoutLinks: CreatePlace = (folder) =>
    createFolderPlace(folder, { link: refuse, symlink: refuse });

/** A folder of Windows, where only a junction needs no rights, and a link cannot be replaced by renaming. */
export const inFolderOfWindows: CreatePlace = (folder) =>
    createFolderPlace(folder, {
        platform: "win32",
        symlink: (target, path, type) =>
            type === "junction" && isAbsolute(String(target)) ? symlink(target, path) : refuse(),
        async rename(from, to) {
            const existing = await lstat(to).catch(() => undefined);
            return existing?.isSymbolicLink() === true ? refuse() : rename(from, to);
        },
        sleep: () => Promise.resolve(),
    });

function refuse(): Promise<never> {
    return Promise.reject(Object.assign(new Error("EPERM"), { code: "EPERM" }));
}

async function createFolderPlace(
    folder: string,
    options: NonNullable<Parameters<typeof FolderTarget.open>[1]>,
): Promise<Place> {
    await mkdir(folder);
    return {
        async open(below = "") {
            await mkdir(join(folder, below), { recursive: true });
            return FolderTarget.open(join(folder, below), options);
        },
        async paths() {
            const entries = await readdir(folder, { recursive: true, withFileTypes: true });
            const files = entries.filter((entry) => entry.isFile());
            return files
                .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, "/"))
                .sort();
        },
        read: (path) => readFile(join(folder, path), "utf8"),
        async write(path, content) {
            await mkdir(dirname(join(folder, path)), { recursive: true });
            await writeFile(join(folder, path), content);
        },
        served: async () => `${relative(folder, resolve(folder, await readlink(join(folder, "current"))))}/`,
    };
}

/** Returns the prefix of the live release from the record. */
async function servedPrefix(readRecord: () => Promise<string>): Promise<string> {
    const { live } = JSON.parse(await readRecord()) as { live?: { prefix?: string } };
    return live?.prefix ?? "";
}

const record = ".static-export/site.json";
const prefixOf = (folder: string) => `${folder.slice(1)}/`;

/** Each function starts the servers of a suite: call the function in a `describe`. */
export const useStorage = {
    "S3-compatible storage": () => {
        const s3 = useS3Server();
        return (folder) => {
            const prefix = prefixOf(folder);
            const read = async (path: string) => String(await s3().read(prefix + path));
            return Promise.resolve({
                open: (below = "") => S3Target.open({ bucket, prefix: prefix + below, endpoint: s3().endpoint }),
                paths: async () => below(await s3().keys(), prefix),
                read,
                async write(path, Body) {
                    await s3().client.send(new PutObjectCommand({ Bucket: bucket, Key: prefix + path, Body }));
                },
                served: () => servedPrefix(() => read(record)),
            });
        };
    },
    "Azure Blob Storage": () => {
        const server = useAzurite();
        return (folder) => {
            const prefix = prefixOf(folder);
            const read = (path: string) => server().read(prefix + path);
            return Promise.resolve({
                open(below = "") {
                    const location = { container, prefix: prefix + below, endpoint: server().endpoint };
                    return AzureTarget.open(location, { accountKey });
                },
                paths: async () => below(await server().keys(), prefix),
                read,
                write: (path, content) => server().put(prefix + path, content),
                served: () => servedPrefix(() => read(record)),
            });
        };
    },
} satisfies Record<string, () => CreatePlace>;

function below(keys: readonly string[], prefix: string): string[] {
    return keys.filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length));
}
