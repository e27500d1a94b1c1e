package io.credential.host;

import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** Takes webhooks; whether they are verified, the configuration says. */
@RestController
class HookController {

    @PostMapping("/hooks/github")
    Received receive(@RequestBody byte[] body) {
        return new Received(body.length);
    }

    /** @param bytes the size of the body */
    record Received(int bytes) {}
}
