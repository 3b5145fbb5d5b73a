# keeps the project root importable
