import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);

/** A site whose only changing page has a number that grows with each change. */
export class ChaosSite {
    readonly #folder: string;
    readonly #isGit: boolean;
    #changing: Promise<unknown> = Promise.resolve();
    /** The number of the newest content. */
    number = 0;
    /** The number of each commit. */
    readonly commits = new Map<string, number>();

    constructor(folder: string, isGit: boolean) {
        this.#folder = folder;
        this.#isGit = isGit;
    }

    get source(): string {
        return this.#isGit ? `git+${pathToFileURL(this.#folder).href}#main` : this.#folder;
    }

    /** Changes run in sequence. */
    change(): Promise<void> {
        const changing = this.#changing.then(() => this.#change());
        this.#changing = changing.catch(() => undefined);
        return changing;
    }

    async #change(): Promise<void> {
        const number = this.number + 1;
        const page = join(this.#folder, "index.md");
        // An export never finds half of a page.
        await writeFile(`${page}.tmp~`, `# Start\n\ncontent-${number}-of-site\n`);
        await rename(`${page}.tmp~`, page);
        if (this.#isGit) {
            await this.git("add", "index.md");
            await this.git("commit", "--quiet", `--message=${number}`);
            this.commits.set(await this.git("rev-parse", "HEAD"), number);
        }
        this.number = number;
    }

    async git(...args: string[]): Promise<string> {
        const author = ["-c", "user.name=author", "-c", "user.email=author@example.com"];
        return (await run("git", ["-C", this.#folder, ...author, ...args])).stdout.trim();
    }
}

/** Two sites in folders, and two in git repositories. */
export async function createSites(folder: string): Promise<ReadonlyMap<string, ChaosSite>> {
    const sites = new Map<string, ChaosSite>();
    for (const name of ["folder-1", "folder-2", "git-1", "git-2"]) {
        const place = join(folder, "sites", name);
        const isGit = name.startsWith("git");
        const site = new ChaosSite(place, isGit);
        await mkdir(place, { recursive: true });
        for (let page = 0; page < 12; page += 1) {
            await writeFile(join(place, `page-${page}.md`), `# Page ${page}\n\n${"Text. ".repeat(50)}\n`);
        }
        // An archive whose transfer takes a while.
        await writeFile(join(place, "noise.txt"), noise());
        if (isGit) {
            await site.git("init", "--quiet", "--initial-branch=main");
            await site.git("add", ".");
        }
        await site.change();
        sites.set(`${name}.example.com`, site);
    }
    return sites;
}

function noise(): string {
    const lines = Array.from({ length: 4000 }, (_, line) => createHash("sha256").update(String(line)).digest("hex"));
    return lines.join("\n");
}
