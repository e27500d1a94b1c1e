package io.credential.sample;

import org.springframework.http.MediaType;
import org.springframework.security.web.csrf.CsrfToken;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.ResponseBody;

import io.credential.spring.autoconfigure.properties.ConsoleProperties;

/** The page on which an operator fills the console with examples. */
@Controller
class DemonstrationController {

    static final String PATH = "/demonstration";

    private final Demonstration demonstration;
    private final String console;

    DemonstrationController(Demonstration demonstration, ConsoleProperties console) {
        this.demonstration = demonstration;
        this.console = console.path() + "/";
    }

    @GetMapping(path = PATH, produces = MediaType.TEXT_HTML_VALUE)
    @ResponseBody
    String page(CsrfToken csrf) {
        return """
                <!DOCTYPE html>
                <html lang="en">
                <head>
                <meta charset="utf-8">
                <meta name="viewport" content="width=device-width, initial-scale=1">
                <title>Demonstration of Credential</title>
                <link rel="stylesheet" href="./default-ui.css">
                </head>
                <body>
                <main class="content">
                <form class="logout-form" method="post">
                <h2>Fill the console with examples</h2>
                <p>This issues some API keys, registers endpoints that this application serves itself, healthy, slow, failing
                and paused ones, and sends them more than a hundred events. Clicking again adds only what is missing.</p>
                <input type="hidden" name="%s" value="%s">
                <button class="primary" type="submit">Send a demonstration</button>
                <p><a href=".%s">Open the console</a></p>
                </form>
                </main>
                </body>
                </html>
                """.formatted(csrf.getParameterName(), csrf.getToken(), console);
    }

    @PostMapping(PATH)
    String send() {
        demonstration.send();
        return "redirect:" + console;
    }
}
