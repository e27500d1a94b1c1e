package io.credential.sample;

import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import io.credential.apikey.ApiKey;

/** Shows callers their own key. */
@RestController
class WhoAmIController {

    @GetMapping("/whoami")
    ApiKey whoAmI(@AuthenticationPrincipal ApiKey key) {
        return key;
    }
}
