/** Advice if a forge redirects requests of git or of its API. @param option - where the operator names the address */
export function movedAdvice(option: string): string {
    return (
        "The repository has moved, or its forge asks for a sign-in: open the repository in a browser, and name its " +
        `new address in ${option}.`
    );
}
