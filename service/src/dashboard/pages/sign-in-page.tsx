import { type PageContext, Foreign, Head, Layout } from "./parts.js";

interface SignInPageProps {
    base: string;
    csrf: string;
    error?: string;
}

export function SignInPage({ base, csrf, error }: SignInPageProps) {
    return (
        <html lang="en">
            <Head title="Sign in" base={base} />
            <body>
                <main class="sign-in card">
                    <h1>Sign in</h1>
                    {error === undefined ? null : (
                        <div class="note danger" role="alert">
                            {error}
                        </div>
                    )}
                    <form method="post" action={`${base}/sign-in`}>
                        <input type="hidden" name="_csrf" value={csrf} />
                        <label>
                            Admin API key
                            <input type="password" name="key" required autocomplete="off" />
                        </label>
                        <p>
                            <button class="main">Sign in</button>
                        </p>
                    </form>
                    <p class="soft">
                        On this machine, you can also open the link that <code>static-export serve</code> prints when it
                        starts.
                    </p>
                </main>
            </body>
        </html>
    );
}

export function ErrorPage({ context, status, message }: { context: PageContext; status: number; message: string }) {
    return (
        <Layout title={`Error ${status}`} context={context} section="">
            <h1>{status === 404 ? "Not found" : "That did not work"}</h1>
            <div class="note danger" role="alert">
                <Foreign text={message} />
            </div>
            <p>
                <a href={`${context.base}/sites`}>Sites</a>
            </p>
        </Layout>
    );
}
