import { beginningOf } from "@pulumi-static-export/contract";
import { stripVTControlCharacters } from "node:util";

/** The facts about an update's commit that clients get. */
export interface CommitDetails {
    message: string;
    author: string;
    /** The changes since the previously published commit; absent if there was no such commit, or if it is gone. */
    filesChanged?: ChangedFiles;
    /** The build has skipped the commit, so that the update has published nothing. */
    isSkipped?: boolean;
}

/** Paths relative to the repository. */
export interface ChangedFiles {
    added: string[];
    modified: string[];
    removed: string[];
}

/** Limits for the parts that are stored and sent. */
const limits = { message: 4000, author: 200, paths: 1000 };

/** @param log - the output of `git log -1 --format=%an%x00%B` */
export function parseCommitLog(log: string): Pick<CommitDetails, "message" | "author"> {
    const [author = "", message = ""] = log.split("\0", 2).map(withoutControls);
    return { author: beginningOf(author, limits.author), message: beginningOf(message.trim(), limits.message) };
}

/** Anybody who may commit writes these texts, and terminals show them: only line breaks and tabs stay. */
function withoutControls(text: string): string {
    return stripVTControlCharacters(text).replace(/[^\P{Cc}\n\t]/gu, "");
}

/** @param output - the output of `git diff --name-status --no-renames -z` */
export function parseChangedFiles(output: string): ChangedFiles {
    const files: ChangedFiles = { added: [], modified: [], removed: [] };
    const words = output.split("\0");
    for (let index = 0; index + 1 < words.length; index += 2) {
        const [status, path = ""] = [words[index], words[index + 1]];
        const list = status === "A" ? files.added : status === "D" ? files.removed : files.modified;
        if (list.length < limits.paths) {
            list.push(path);
        }
    }
    return files;
}
