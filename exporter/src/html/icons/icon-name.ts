/** The name in a set of an icon that is called as a component: `BookOpen` is `book-open`, `Code2` is `code-2`. */
export function iconNameOf(componentName: string): string {
    return componentName.replace(/[a-z\d](?=[A-Z])|[A-Za-z](?=\d)|[A-Z](?=[A-Z][a-z])/g, "$&-").toLowerCase();
}
