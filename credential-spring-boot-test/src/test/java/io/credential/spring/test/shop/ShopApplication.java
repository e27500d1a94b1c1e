package io.credential.spring.test.shop;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

import jakarta.servlet.http.HttpServletRequest;

import io.credential.apikey.ApiKey;
import io.credential.spring.security.RequiresScope;
import io.credential.webhook.signature.ProcessorVerification;
import io.credential.webhook.signature.VerifiedWebhook;

/** An application as users write it. */
@SpringBootApplication
class ShopApplication {

    /** Describes an authentication without its times. */
    static Map<String, Object> describe(Authentication authentication) {
        Map<String, Object> described = new LinkedHashMap<>();
        described.put("type", authentication.getClass().getName());
        described.put("name", authentication.getName());
        described.put("principal", String.valueOf(authentication.getPrincipal().getClass()));
        described.put("credentials", String.valueOf(authentication.getCredentials()));
        described.put("authenticated", authentication.isAuthenticated());
        described.put(
                "authorities",
                authentication.getAuthorities().stream()
                        .map(authority -> authority.getClass().getSimpleName() + " " + authority.getAuthority())
                        .toList());
        return described;
    }

    @RestController
    static class OrderController {

        @GetMapping("/orders")
        @RequiresScope("orders:read")
        List<String> list(ApiKey caller) {
            return List.of(caller.ownerId(), caller.namespace());
        }

        @PostMapping("/orders")
        @RequiresScope("orders:write")
        String add(@AuthenticationPrincipal ApiKey caller) {
            return caller.ownerId();
        }

        @GetMapping("/key")
        ApiKey key(ApiKey caller) {
            return caller;
        }

        @GetMapping("/caller")
        Map<String, Object> caller(Authentication authentication, HttpServletRequest request) {
            Map<String, Object> described = describe(authentication);
            described.put("details", String.valueOf(authentication.getDetails().getClass()));
            described.put("session", request.getSession(false) != null);
            return described;
        }
    }

    @RestController
    static class HookController {

        @PostMapping("/hooks/partner")
        String partner(@RequestBody(required = false) String body, VerifiedWebhook webhook) {
            return webhook.kid() + " " + body;
        }

        @PostMapping("/hooks/processor")
        String processor(@RequestBody String body, ProcessorVerification webhook) {
            return webhook.scheme() + " " + body;
        }

        @PostMapping({"/hooks/standard-webhooks", "/hooks/stripe", "/hooks/github", "/hooks/shopify", "/hooks/slack"})
        String foreign(@RequestBody String body, VerifiedWebhook webhook) {
            return webhook.scheme() + " " + body;
        }

        @PostMapping("/hooks/quantum")
        String quantum(@RequestBody String body, VerifiedWebhook webhook) {
            return webhook.algorithm() + " " + body;
        }
    }
}
