"""The engine: plays decide, feedback, learn in a fused compiled loop, and in a readable one."""
