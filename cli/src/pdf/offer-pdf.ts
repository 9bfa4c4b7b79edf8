import { replaceFile } from "@pulumi-static-export/contract/replace-file";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type PageFile } from "./site-folder.js";

/** The PDF of a site, in the site's folder. */
export const offeredFile = "site.pdf";

/** Matches the option `download-pdf` in a page's menu, whether an export or an earlier call wrote it. */
const option = /<(button|a)\b[^>]*data-option="download-pdf"[^>]*>(.*?)<\/\1>/;

/**
 * Lets the menus of pages download the PDF.
 *
 * @returns how many pages have the option
 */
export async function offerPdf(folder: string, pages: readonly PageFile[]): Promise<number> {
    let count = 0;
    for (const { file } of pages) {
        const path = join(folder, file);
        const html = await readFile(path, "utf8");
        const up = "../".repeat(file.split("/").length - 1);
        const offered = html.replace(
            option,
            (_, _tag, shown: string) =>
                `<a data-option="download-pdf" href="${up}${offeredFile}" download>${shown}</a>`,
        );
        if (option.test(html)) {
            count += 1;
        }
        if (offered !== html) {
            // Replaces a page atomically, because a web server may be reading it.
            await writeFile(`${path}.partial`, offered);
            await replaceFile(`${path}.partial`, path);
        }
    }
    return count;
}
