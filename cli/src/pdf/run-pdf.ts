import { replaceFile } from "@pulumi-static-export/contract/replace-file";
import { ExportedSite, FolderFiles } from "@pulumi-static-export/answer";
import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type ClientOptions } from "../command-line/admin-client.js";
import { withInterruption } from "../command-line/interruption.js";
import { UsageError } from "../command-line/usage-error.js";
import { reportError } from "../export/exit-codes.js";
import { openSite } from "../export/open-site.js";
import { createProgressDisplay } from "../export/progress-display.js";
import { ChromiumPrinter } from "./chromium-printer.js";
import { findBrowser } from "./find-browser.js";
import { offeredFile, offerPdf } from "./offer-pdf.js";
import { printBook } from "./print-book.js";
import { filesOf, type PageFile, SiteFolder } from "./site-folder.js";

/** The options of `pdf`, parsed. */
export interface PdfOptions extends ClientOptions {
    output?: string;
    /** Saves the PDF in the site's folder, so that the pages' menus offer it. */
    offer?: boolean;
    page?: string;
    /** Groups whose pages are included. */
    group?: readonly string[];
    /** The path of Chromium's executable. */
    browser?: string;
}

/** Prints a site, or one page of it. The PDF appears complete or not at all. @throws UsageError */
export async function runPdf(place: string, options: PdfOptions): Promise<number> {
    const { output, offer = false } = options;
    if ((output === undefined) !== offer) {
        throw new UsageError("Give a file with --output, or --offer to save the PDF in the site's folder.");
    }
    if (offer && (options.page !== undefined || options.group !== undefined)) {
        throw new UsageError("--offer saves a PDF of all pages for everybody: leave out --page and --group.");
    }
    const executable = findBrowser(options.browser, process.env);
    const scratch = await mkdtemp(join(tmpdir(), "static-export-pdf-"));
    try {
        return await withInterruption((signal) =>
            writePdf(place, options, { scratch: join(scratch, "site"), executable, signal }),
        );
    } catch (error) {
        return reportError(error);
    } finally {
        await rm(scratch, { recursive: true, force: true });
    }
}

async function writePdf(
    place: string,
    options: PdfOptions,
    { scratch, executable, signal }: { scratch: string; executable: string; signal: AbortSignal },
): Promise<number> {
    const { offer = false } = options;
    if (offer && !(await stat(place).catch(() => undefined))?.isDirectory()) {
        throw new UsageError(`--offer needs the folder of a site, and ${place} is not one: give --output instead.`);
    }
    const { folder } = await openSite({ place, scratch, client: options }, signal);
    const site = await openFolder(place, folder, options.group);
    const pages = await chosenPages(site, place, options.page);
    const file = resolve(options.output ?? join(folder, offeredFile));
    const display = createProgressDisplay(process.stderr, process.env);
    const printer = await ChromiumPrinter.start(executable, site);
    const stop = () => void printer.close();
    signal.addEventListener("abort", stop);
    const unfinished = `${file}.partial`;
    try {
        const pdf = await printBook(site, pages, {
            ...{ printer, signal },
            title: options.page === undefined ? site.title : `${pages[0]?.title ?? ""} – ${site.title}`,
            withContents: options.page === undefined,
            onProgress: (pageCount) =>
                display.show(file, {
                    status: "printing",
                    progress: Math.floor((100 * pageCount) / pages.length),
                    pageCount,
                }),
        });
        await writeFile(unfinished, pdf);
        await replaceFile(unfinished, file);
    } catch (error) {
        signal.throwIfAborted();
        throw error;
    } finally {
        display.end();
        signal.removeEventListener("abort", stop);
        await printer.close();
        await rm(unfinished, { force: true });
    }
    const { refusedHosts } = printer;
    if (refusedHosts.size > 0) {
        console.error(
            `Left out: pictures and styles of ${[...refusedHosts].sort().join(", ")}. Nothing is loaded from a network.`,
        );
    }
    console.log(`${file}: ${pages.length} ${pages.length === 1 ? "page" : "pages"}`);
    if (offer) {
        const count = await offerPdf(folder, pages);
        console.log(
            count === 0
                ? "No page offers the PDF: add download-pdf to contextual.options of docs.json, and export the site " +
                      "again."
                : `Offered in the menu of ${count} ${count === 1 ? "page" : "pages"}.`,
        );
    }
    return 0;
}

async function openFolder(place: string, folder: string, groups: readonly string[] | undefined): Promise<SiteFolder> {
    try {
        const site = await ExportedSite.open(new FolderFiles(folder));
        return SiteFolder.open(folder, site, groups && { groups });
    } catch (error) {
        throw new UsageError(`${place}: ${(error as Error).message}`);
    }
}

async function chosenPages(site: SiteFolder, place: string, page: string | undefined): Promise<PageFile[]> {
    const pages = await site.pages();
    if (page === undefined) {
        if (pages.length === 0) {
            throw new UsageError(`${place} has no pages for these readers.`);
        }
        return pages;
    }
    const route = page.replace(/^\/|\/$|(?:^|\/)index(?:\.html)?$|\.(?:html|mdx?)$/g, "");
    const names = filesOf(route);
    const found = pages.filter(({ file }) => names.includes(file));
    if (found.length === 0) {
        throw new UsageError(
            `--page ${page}: the site has no such page for these readers. Give its path, such as /guides/start.`,
        );
    }
    return found;
}
