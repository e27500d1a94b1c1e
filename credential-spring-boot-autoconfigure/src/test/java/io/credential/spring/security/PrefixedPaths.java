package io.credential.spring.security;

import org.springframework.security.core.Authentication;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import jakarta.servlet.http.HttpServletRequest;

import io.credential.apikey.ApiKey;

/** The same answers under a path for each security chain. */
@RestController
class PrefixedPaths {

    private final OrdersController answers = new OrdersController();

    @GetMapping("/{chain}/whoami")
    String whoami(@AuthenticationPrincipal ApiKey key, Authentication authentication) {
        return answers.whoami(key, authentication);
    }

    @GetMapping("/{chain}/name")
    String name(Authentication authentication) {
        return authentication.getName();
    }

    @GetMapping("/{chain}/session")
    String session(HttpServletRequest request) {
        return answers.session(request);
    }
}
