/** A section that readers can open. @param summary as HTML @param id the `id` attribute, with a leading space */
export function accordion(summary: string, content: string, isOpen = false, id = ""): string {
    const open = isOpen ? " open" : "";
    return `<details class="accordion"${id}${open}><summary>${summary}</summary><div>${content}</div></details>`;
}
