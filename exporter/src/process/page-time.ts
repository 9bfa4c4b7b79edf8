import { readFileSync } from "node:fs";
import { type CurrentPage } from "./current-page.js";

/**
 * Finds a page that takes too much CPU time. Does not measure elapsed time, because every page takes long on a
 * busy machine.
 */
export class PageTime {
    #page: CurrentPage;
    #startedMs: number;

    /** @param usedMs CPU time of the process until now */
    constructor(
        private readonly limitMs: number,
        page: CurrentPage,
        usedMs: number,
    ) {
        this.#page = page;
        this.#startedMs = usedMs;
    }

    isOver(page: CurrentPage, usedMs: number): boolean {
        if (page.count !== this.#page.count) {
            this.#page = page;
            this.#startedMs = usedMs;
        }
        return page.file !== "" && usedMs - this.#startedMs > this.limitMs;
    }
}

/** Linux counts CPU time in hundredths of a second, on all machines. */
const msPerTick = 10;

/**
 * The CPU time that the main thread of a process has used, because other threads may work on other pages; the elapsed
 * time if the system does not report CPU time.
 */
export function usedMsOf(pid: number | undefined): number {
    try {
        const stat = readFileSync(`/proc/${pid}/task/${pid}/stat`, "utf8");
        // The second field is the program's name, which may contain spaces and parentheses.
        const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
        return (Number(fields[11]) + Number(fields[12])) * msPerTick;
    } catch {
        return performance.now();
    }
}
