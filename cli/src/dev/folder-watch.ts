import { existsSync, type FSWatcher, readdirSync, statSync, watch } from "node:fs";
import { join } from "node:path";
import { isUnread } from "@pulumi-static-export/exporter/published-names";
import { UsageError } from "../command-line/usage-error.js";

/** How long to wait for more changes, because an editor writes a file in several steps. */
const settleMs = 20;

/** How many more times to wait for the content of an empty file. */
const maxWaits = 5;

/** How often to look for a watched folder that was removed, as by a checkout of a branch without it. */
const lookMs = 200;

/**
 * Reports changes below a folder, some milliseconds after the last one. Uses one watcher per folder: on Linux,
 * libraries and the recursive watcher of Node.js also use one per file, and systems allow only a few thousand.
 */
export class FolderWatch {
    readonly #watchers = new Map<string, FSWatcher>();
    readonly #changed = new Set<string>();
    #timer: NodeJS.Timeout | undefined;
    #waits = 0;
    #isClosed = false;
    /** Identifies the folder that is watched: another one may take its place. */
    #identity: string | undefined;
    #look: NodeJS.Timeout | undefined;

    /**
     * @param root a real path
     * @param onChange called with the real paths of changed files and folders
     * @throws UsageError if the system has no watchers left
     */
    constructor(
        private readonly root: string,
        private readonly onChange: (paths: readonly string[]) => void,
    ) {
        this.#identity = identityOf(root);
        this.#add(root);
    }

    close(): void {
        this.#isClosed = true;
        clearTimeout(this.#timer);
        clearTimeout(this.#look);
        this.#watchers.forEach((watcher) => watcher.close());
        this.#watchers.clear();
    }

    #add(folder: string): void {
        if (this.#watchers.has(folder) || this.#isClosed) {
            return;
        }
        try {
            const recursive = process.platform !== "linux";
            const watcher = watch(folder, { recursive }, (_, name) => this.#onEvent(folder, name ?? undefined));
            watcher.on("error", () => (folder === this.root ? this.#later(folder) : this.#remove(folder)));
            this.#watchers.set(folder, watcher);
            if (recursive) {
                return;
            }
            // Reads the folder after the watcher has started, so that no folder that is created meanwhile is missed.
            for (const entry of readdirSync(folder, { withFileTypes: true })) {
                if (entry.isDirectory() && !isUnread(entry.name)) {
                    this.#add(join(folder, entry.name));
                }
            }
        } catch (error) {
            const { code } = error as NodeJS.ErrnoException;
            if (code === "ENOSPC" || code === "EMFILE") {
                throw new UsageError(
                    `The system allows no more watched folders (${code}): raise fs.inotify.max_user_watches and ` +
                        "fs.inotify.max_user_instances.",
                );
            }
            if (folder === this.root) {
                throw error;
            }
            // The folder was removed meanwhile.
        }
    }

    #remove(folder: string): void {
        for (const [each, watcher] of this.#watchers) {
            if (each === folder || each.startsWith(join(folder, "/"))) {
                watcher.close();
                this.#watchers.delete(each);
            }
        }
    }

    #onEvent(folder: string, name: string | undefined): void {
        if (name !== undefined && name.split(/[\\/]/).some(isUnread)) {
            return;
        }
        this.#later(name === undefined ? folder : join(folder, name));
    }

    #later(path: string): void {
        this.#changed.add(path);
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.#report(), settleMs);
    }

    #report(): void {
        const paths = [...this.#changed];
        if (this.#waits < maxWaits && paths.some(isEmptyFile)) {
            this.#waits += 1;
            this.#timer = setTimeout(() => this.#report(), settleMs);
            return;
        }
        this.#waits = 0;
        this.#changed.clear();
        if (identityOf(this.root) !== this.#identity) {
            this.#watchAgain(paths);
            return;
        }
        for (const path of paths) {
            this.#remove(path);
            this.#addIfFolder(path);
        }
        this.onChange(paths);
    }

    /** Watches the folder that has taken the place of the earlier one, or waits for it. */
    #watchAgain(changed: readonly string[] = []): void {
        this.#remove(this.root);
        this.#identity = identityOf(this.root);
        try {
            this.#addIfFolder(this.root);
        } catch (error) {
            // Otherwise, the folder was removed again.
            if (error instanceof UsageError) {
                throw error;
            }
        }
        this.onChange([...changed, this.root]);
        if (!this.#watchers.has(this.root)) {
            this.#lookLater();
        }
    }

    #lookLater(): void {
        this.#look = setTimeout(() => {
            if (existsSync(this.root)) {
                this.#watchAgain();
            } else {
                this.#lookLater();
            }
        }, lookMs);
    }

    #addIfFolder(path: string): void {
        try {
            readdirSync(path);
        } catch {
            return;
        }
        this.#add(path);
    }
}

/** Includes the time of creation, because a disk may give a new folder the number of a removed one. */
function identityOf(folder: string): string | undefined {
    const stats = statSync(folder, { bigint: true, throwIfNoEntry: false });
    return stats && `${stats.dev} ${stats.ino} ${stats.birthtimeNs}`;
}

function isEmptyFile(path: string): boolean {
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats?.isFile() === true && stats.size === 0;
}
