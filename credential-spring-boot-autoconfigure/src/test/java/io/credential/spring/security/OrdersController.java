package io.credential.spring.security;

import java.util.List;
import java.util.concurrent.Callable;

import org.springframework.security.core.Authentication;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

import jakarta.servlet.http.HttpServletRequest;

import io.credential.apikey.ApiKey;

/** What the host applications of the tests answer. */
@RestController
class OrdersController {

    @GetMapping("/whoami")
    String whoami(@AuthenticationPrincipal ApiKey key, Authentication authentication) {
        return key.id() + " of " + authentication.getName();
    }

    @GetMapping("/authorities")
    List<String> authorities(Authentication authentication) {
        return authentication.getAuthorities().stream()
                .map(GrantedAuthority::getAuthority)
                .sorted()
                .toList();
    }

    @GetMapping("/name")
    String name(Authentication authentication) {
        return authentication.getName();
    }

    @GetMapping("/orders")
    @RequiresScope("orders:read")
    String list() {
        return "orders";
    }

    @PostMapping("/orders")
    @RequiresScope({"orders:read", "orders:write"})
    String add() {
        return "added";
    }

    @GetMapping("/async")
    Callable<String> async() {
        return () -> {
            Authentication authentication = SecurityContextHolder.getContext().getAuthentication();
            return authentication == null ? "nobody" : authentication.getName();
        };
    }

    @GetMapping("/broken")
    String broken() {
        throw new IllegalStateException("broken");
    }

    @GetMapping("/session")
    String session(HttpServletRequest request) {
        return request.getSession(false) == null ? "no session" : "session";
    }
}
