package io.credential.spring.security.slice;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

import io.credential.apikey.ApiKey;
import io.credential.spring.security.RequiresScope;

@SpringBootConfiguration
@EnableAutoConfiguration
class SliceApplication {

    @RestController
    static class SliceController {

        @GetMapping("/whoami")
        String whoami(@AuthenticationPrincipal ApiKey key) {
            return key.ownerId();
        }

        @PostMapping("/orders")
        @RequiresScope("orders:write")
        String add() {
            return "added";
        }
    }
}
