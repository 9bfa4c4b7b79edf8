import { lstat, readlink, symlink, unlink } from "node:fs/promises";
import { join, relative, resolve, sep } from "node:path";
import { replaceFile, type ReplaceOptions } from "@pulumi-static-export/contract/replace-file";
import { PublishError } from "../errors/publish-error.js";
import { isReleaseFolder, ownFolder } from "../records/site-record.js";
import { ignoreMissing } from "./folder-files.js";

const name = "current";

export interface ReleaseLinkOptions extends ReplaceOptions {
    readonly symlink?: typeof symlink;
}

/** The link to the live release in a folder, which web servers serve. */
export class ReleaseLink {
    readonly #path: string;

    constructor(
        private readonly root: string,
        private readonly options: ReleaseLinkOptions,
    ) {
        this.#path = join(root, name);
    }

    /** @param probe a path on the same disk, where nothing is @throws PublishError if the link cannot be created */
    async refuseUnfit(probe: string): Promise<void> {
        await this.#refuseOthers();
        try {
            await this.#create(ownFolder, probe);
        } catch (error) {
            throw new PublishError(
                `${this.root} cannot contain links to folders (${(error as NodeJS.ErrnoException).code}), and the live ` +
                    'release is one: publish with switching "files", or to a disk that has links.',
                { cause: error },
            );
        }
    }

    /** @param scratch a path on the same disk, where nothing is */
    async switchTo(folder: string, scratch: string): Promise<void> {
        await this.#refuseOthers();
        await this.#create(folder, scratch);
        if (this.#isWindows) {
            // No rename replaces a link there.
            await unlink(this.#path).catch(ignoreMissing);
        }
        await replaceFile(scratch, this.#path, this.options);
    }

    async remove(): Promise<void> {
        // A file of a site that is replaced file by file may have this name, or a link of somebody else.
        const found = await lstat(this.#path).catch(ignoreMissing);
        if (found?.isSymbolicLink() === true && (await this.isAt(name))) {
            await unlink(this.#path);
        }
    }

    /** Whether a link in the folder is the one to a release. */
    async isAt(path: string): Promise<boolean> {
        const target = resolve(this.root, await readlink(join(this.root, path)));
        return path === name && isReleaseFolder(`${relative(this.root, target).replaceAll(sep, "/")}/`);
    }

    async #refuseOthers(): Promise<void> {
        const found = await lstat(this.#path).catch(ignoreMissing);
        const isLink = found?.isSymbolicLink() === true;
        if (found !== undefined && !(isLink && (await this.isAt(name)))) {
            const what = found.isDirectory() ? "a folder" : isLink ? "a link to another place" : "a file";
            throw new PublishError(`${this.#path} is ${what}, where the link to the release belongs: move it away.`);
        }
    }

    get #isWindows(): boolean {
        return (this.options.platform ?? process.platform) === "win32";
    }

    async #create(folder: string, link: string): Promise<void> {
        const { symlink: create = symlink } = this.options;
        const target = folder.replace(/\/$/, "");
        // Only administrators of Windows may create other links to folders.
        await (this.#isWindows ? create(join(this.root, target), link, "junction") : create(target, link));
    }
}
