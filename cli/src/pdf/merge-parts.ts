import { installationOf, orMissing } from "@pulumi-static-export/contract/missing-package";
import type * as PdfLibrary from "@cantoo/pdf-lib";
import { type PDFArray, type PDFDict, type PDFDocument, type PDFObject, type PDFRef } from "@cantoo/pdf-lib";
import { UsageError } from "../command-line/usage-error.js";
import { type Heading, otherPages } from "./printed-section.js";

/** A part of a book as the browser printed it. */
export interface PrintedPart {
    readonly pdf: Uint8Array;
    readonly headings: readonly Heading[];
}

/**
 * Merges several PDFs into one, with bookmarks for the headings, and with links from each part to the others.
 *
 * @param parts in their order
 * @throws UsageError if the library is not installed
 */
export async function mergeParts(
    parts: readonly PrintedPart[],
    { title, language }: { title: string; language: string },
    signal: AbortSignal,
): Promise<Uint8Array> {
    const lib = await loadPdfLib();
    const { PDFArray, PDFDict, PDFDocument, PDFHexString, PDFName, PDFString, StandardFonts } = lib;
    const merged = await PDFDocument.create();
    merged.setTitle(title, { showInWindowTitleBar: true });
    merged.setLanguage(language);
    merged.setProducer("static-export");
    const { context } = merged;
    const places = new Map<string, { page: PDFRef; at: PDFObject[] }>();
    const headings: Heading[] = [];
    for (const part of parts) {
        signal.throwIfAborted();
        const source = await PDFDocument.load(part.pdf, { updateMetadata: false });
        const copied = await merged.copyPages(source, source.getPageIndices());
        copied.forEach((page) => merged.addPage(page));
        const refs = new Map(source.getPages().map((page, at) => [page.ref.toString(), copied[at]!.ref]));
        for (const [name, value] of namedPlaces(source, lib)) {
            const [page, ...at] = value.asArray();
            const ref = refs.get(String(page));
            if (ref !== undefined) {
                places.set(name, { page: ref, at });
            }
        }
        headings.push(...part.headings);
    }
    const placeOf = (id: string) => places.get(id) ?? places.get(/^p\d+/.exec(id)?.[0] ?? "");
    const destination = ({ page, at }: { page: PDFRef; at: PDFObject[] }) => {
        const array = PDFArray.withContext(context);
        [page, ...at].forEach((each) => array.push(each));
        return array;
    };
    const font = await merged.embedFont(StandardFonts.Helvetica);
    for (const [at, page] of merged.getPages().entries()) {
        const text = String(at + 1);
        page.drawText(text, { x: (page.getWidth() - font.widthOfTextAtSize(text, 8)) / 2, y: 22, size: 8, font });
        const annotations = page.node.Annots();
        for (let index = 0; index < (annotations?.size() ?? 0); index += 1) {
            const link = annotations?.lookupMaybe(index, PDFDict);
            const name = link?.lookupMaybe(PDFName.of("Dest"), PDFName)?.decodeText();
            const action = link?.lookupMaybe(PDFName.of("A"), PDFDict);
            const address = action?.lookupMaybe(PDFName.of("URI"), PDFString, PDFHexString)?.decodeText() ?? "";
            const id =
                name ??
                (address.startsWith(`${otherPages}#`)
                    ? decodeURIComponent(address.slice(otherPages.length + 1))
                    : undefined);
            const place = id === undefined ? undefined : placeOf(id);
            if (link !== undefined && id !== undefined) {
                link.delete(PDFName.of("A"));
                link.delete(PDFName.of("Dest"));
                if (place !== undefined) {
                    link.set(PDFName.of("Dest"), destination(place));
                }
            }
        }
    }
    addOutline(
        merged,
        lib,
        headings.flatMap((heading) => {
            const place = placeOf(heading.id);
            return place === undefined ? [] : { ...heading, to: destination(place) };
        }),
    );
    return merged.save({ useObjectStreams: true });
}

type PdfLib = typeof PdfLibrary;

/** The targets of a document's links, by their names. */
function namedPlaces(document: PDFDocument, { PDFArray, PDFDict, PDFName }: PdfLib): [string, PDFArray][] {
    const names = document.catalog.lookupMaybe(PDFName.of("Dests"), PDFDict);
    return (names?.keys() ?? []).flatMap((key) => {
        const value = names?.lookup(key);
        return value instanceof PDFArray ? [[key.decodeText(), value]] : [];
    });
}

/** Writes the bookmarks, with each heading below the last heading of a higher level. */
function addOutline(document: PDFDocument, lib: PdfLib, headings: readonly (Heading & { to: PDFObject })[]): void {
    const { PDFHexString, PDFName, PDFNumber } = lib;
    const { context, catalog } = document;
    const root: Bookmark = newBookmark(context.obj({ Type: "Outlines" }), 0);
    const open = [root];
    for (const { level, text, to } of headings) {
        while (open.length > 1 && open.at(-1)!.level >= level) {
            open.pop();
        }
        const dict = context.obj({});
        dict.set(PDFName.of("Title"), PDFHexString.fromText(text));
        dict.set(PDFName.of("Dest"), to);
        const bookmark = newBookmark(dict, level);
        open.at(-1)!.children.push(bookmark);
        open.push(bookmark);
    }
    const write = (bookmark: Bookmark, ref: PDFRef): void => {
        const refs = bookmark.children.map(() => context.nextRef());
        bookmark.children.forEach((child, at) => {
            child.dict.set(PDFName.of("Parent"), ref);
            if (at > 0) {
                child.dict.set(PDFName.of("Prev"), refs[at - 1]!);
            }
            if (at + 1 < refs.length) {
                child.dict.set(PDFName.of("Next"), refs[at + 1]!);
            }
            write(child, refs[at]!);
        });
        if (refs.length > 0) {
            bookmark.dict.set(PDFName.of("First"), refs[0]!);
            bookmark.dict.set(PDFName.of("Last"), refs.at(-1)!);
            // A negative count means that the bookmark is initially closed.
            bookmark.dict.set(PDFName.of("Count"), PDFNumber.of(bookmark === root ? refs.length : -refs.length));
        }
        context.assign(ref, bookmark.dict);
    };
    if (root.children.length > 0) {
        const ref = context.nextRef();
        write(root, ref);
        catalog.set(PDFName.of("Outlines"), ref);
        catalog.set(PDFName.of("PageMode"), PDFName.of("UseOutlines"));
    }
}

interface Bookmark {
    readonly dict: PDFDict;
    readonly level: number;
    readonly children: Bookmark[];
}

function newBookmark(dict: PDFDict, level: number): Bookmark {
    return { dict, level, children: [] };
}

async function loadPdfLib(): Promise<PdfLib> {
    return orMissing(
        import("@cantoo/pdf-lib"),
        () =>
            new UsageError(
                "The site is printed in several parts, and @cantoo/pdf-lib, which joins them, is not installed: run " +
                    `${installationOf(["@cantoo/pdf-lib"])}, or print single pages with --page.`,
            ),
    );
}
