package io.credential.sample;

import org.springframework.http.MediaType;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;

/** Leads browsers to the console. */
@Controller
class HomeController {

    @GetMapping(path = "/", produces = MediaType.TEXT_HTML_VALUE)
    String console() {
        return "redirect:/credential/";
    }
}
