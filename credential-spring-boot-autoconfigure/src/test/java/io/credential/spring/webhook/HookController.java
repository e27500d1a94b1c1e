package io.credential.spring.webhook;

import java.io.IOException;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;

import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

import jakarta.servlet.http.HttpServletRequest;

import io.credential.spring.webhook.internal.WebhookSignatureFilter;
import io.credential.webhook.signature.ProcessorVerification;
import io.credential.webhook.signature.VerifiedWebhook;

/** Every way in which a controller may take a webhook. */
@RestController
public final class HookController {

    @PostMapping("/hooks/partner/json")
    String json(@RequestBody Map<String, Object> body, VerifiedWebhook webhook) {
        return webhook.kid() + " " + body.get("name");
    }

    @PostMapping("/hooks/partner/bytes")
    byte[] bytes(@RequestBody byte[] body) {
        return body;
    }

    @PostMapping("/hooks/partner/hex")
    String hex(@RequestBody byte[] body) {
        return HexFormat.of().formatHex(body);
    }

    /** By every method that tells parameters. */
    @RequestMapping(
            path = "/hooks/partner/form",
            method = {RequestMethod.POST, RequestMethod.PUT})
    String form(@RequestParam("name") String name, HttpServletRequest request, VerifiedWebhook webhook) {
        return webhook.kid() + " " + name + " " + Arrays.toString(request.getParameterValues("name")) + " "
                + Collections.list(request.getParameterNames()) + " "
                + request.getParameterMap().keySet();
    }

    @PostMapping("/hooks/partner/reader")
    String reader(HttpServletRequest request) throws IOException {
        return request.getReader().readLine();
    }

    @PostMapping("/hooks/partner/attribute")
    String attribute(HttpServletRequest request) {
        String algorithm =
                WebhookSignatureFilter.verified(request) instanceof VerifiedWebhook webhook ? webhook.algorithm() : "";
        return algorithm + " " + (request.getSession(false) == null ? "no session" : "session");
    }

    @PostMapping("/hooks/partner/fails")
    String fails() {
        throw new IllegalStateException("The controller failed");
    }

    @PostMapping("/hooks/processor")
    String processor(ProcessorVerification verification) {
        return verification.scheme();
    }

    @PostMapping("/hooks/pqc")
    String pqc(VerifiedWebhook webhook) {
        return webhook.algorithm();
    }

    @PostMapping("/hooks/partner/who")
    String who() {
        Authentication authentication = SecurityContextHolder.getContext().getAuthentication();
        return authentication == null
                ? "nobody"
                : authentication.getName() + " " + authentication.getAuthorities() + " "
                        + (authentication.getPrincipal() instanceof VerifiedWebhook webhook ? webhook.sender() : "");
    }

    @PostMapping("/hooks/partner/session")
    String session(HttpServletRequest request) {
        request.getSession().setAttribute("name", "value");
        return String.valueOf(request.getSession(false).getAttribute("name"));
    }

    @RequestMapping("/hooks/partner/any-method")
    String anyMethod() {
        return "reached";
    }

    @PostMapping("/open/optional")
    String optional(Optional<VerifiedWebhook> webhook) {
        return webhook.map(VerifiedWebhook::id).orElse("none");
    }

    @PostMapping("/hooks/partner/optional")
    String verifiedOptional(Optional<VerifiedWebhook> webhook, Optional<ProcessorVerification> other) {
        return webhook.map(VerifiedWebhook::kid).orElse("none") + " " + other.isPresent();
    }

    @PostMapping("/open/model")
    String model(@ModelAttribute("webhook") VerifiedWebhook webhook) {
        return String.valueOf(webhook.id());
    }

    @PostMapping("/hooks/partner/model")
    String verifiedModel(@ModelAttribute("webhook") VerifiedWebhook webhook) {
        return webhook.kid();
    }

    @PostMapping("/open")
    String open(VerifiedWebhook webhook) {
        return String.valueOf(webhook.id());
    }

    @PostMapping("/open/bytes")
    String openBytes() {
        return "open";
    }

    @GetMapping("/page")
    String page() {
        return "page";
    }
}
