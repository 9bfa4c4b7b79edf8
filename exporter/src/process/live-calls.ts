import { LiveSite } from "../live/live-site.js";
import { CurrentPageWriter } from "./current-page.js";
import { parserChoice } from "./parser-of-page.js";
import { toExportWarnings } from "./export-warnings.js";
import { type CheckedPages, type LiveCall, type PlannedSite } from "./live-messages.js";

/** Runs the calls of a live site in the live site's process. */
export class LiveCallee {
    #site: LiveSite | undefined;
    #check = new AbortController();

    async run(call: LiveCall): Promise<unknown> {
        if (call.name === "open") {
            const [sourceDir, workDir, markdownPages] = call.args;
            const page = new CurrentPageWriter(workDir);
            const chooseParser = parserChoice(markdownPages);
            this.#site = new LiveSite(sourceDir, workDir, (file) => {
                page.set(file);
                chooseParser(file);
            });
            await this.#site.plan();
            return plannedBy(this.#site);
        }
        const site = this.#site;
        if (site === undefined) {
            throw new Error("no site is open");
        }
        switch (call.name) {
            case "change": {
                const change = await site.change(...call.args);
                if (change.kind !== "nothing") {
                    this.#check.abort();
                }
                return { ...change, ...plannedBy(site) };
            }
            case "file":
                return site.file(...call.args);
            case "state":
                return site.state(...call.args);
            case "place":
                return site.placeOf(...call.args);
            case "check":
                this.#check.abort();
                this.#check = new AbortController();
                return this.#checked(site);
        }
    }

    async #checked(site: LiveSite): Promise<CheckedPages | undefined> {
        const checked = await site.check(this.#check.signal);
        return checked && { warnings: checked.warnings, summary: toExportWarnings(checked.kept, checked.counts) };
    }
}

function plannedBy({ pageCount, problem }: LiveSite): PlannedSite {
    return { pageCount, problem };
}
