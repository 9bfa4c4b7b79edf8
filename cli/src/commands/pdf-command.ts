import { Option } from "commander";
import { type CliCommand } from "../command-line/cli-command.js";
import { addTo, clientNotes, clientOptions, siteArgument } from "../command-line/options.js";
import { type PdfOptions } from "../pdf/run-pdf.js";

/** Writes a site as a PDF. */
export const pdfCommand: CliCommand = {
    name: "pdf",
    summary: "Print an exported site, or one of its pages, as a PDF with working links, using an installed Chromium.",
    arguments: [siteArgument()],
    options: [
        new Option("-o, --output <file>", "file for the PDF; an existing file is replaced"),
        new Option("--offer", "save the PDF as site.pdf in the site's folder, and offer it in the menus of pages"),
        new Option("--page <path>", "print this page only, such as /guides/start"),
        new Option(
            "--group <name>",
            "include pages for readers of this group (repeatable; default: public pages only)",
        ).argParser(addTo),
        new Option(
            "--browser <path>",
            "program of Chromium, Chrome or Edge (default: STATIC_EXPORT_CHROMIUM, or one that is installed)",
        ),
        ...clientOptions,
    ],
    exitCodes: {
        0: "printed",
        2: "wrong usage, or no exported site or browser was found",
        5: "a job's bundle could not be fetched",
        130: "Ctrl-C",
        143: "SIGTERM",
    },
    notes:
        "The command needs playwright-core, and for a site of more than about 50 long pages @cantoo/pdf-lib: npm " +
        "install playwright-core @cantoo/pdf-lib. Neither downloads a browser. The browser gets the files of the " +
        "site only: pictures of other hosts are left out.\n\n" +
        `${clientNotes} The address and the key are needed only for the id of a job.`,
    examples: [
        "static-export pdf site --output docs.pdf",
        "static-export pdf site --output start.pdf --page /guides/start",
        "static-export pdf site --offer    for the option download-pdf of the page menu",
    ],
    run: async (place: string, options: PdfOptions) => (await import("../pdf/run-pdf.js")).runPdf(place, options),
};
